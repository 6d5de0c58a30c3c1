import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { httpApp } from '../src/http.ts'

/** A method at a path. */
const at = (method: Operation['method'], path: string): Operation => ({ ...venueOperations.getStatus, method, path })
const app = (allowedHeaders: readonly string[] | null) =>
  httpApp({
    operations: {
      change: at('PATCH', '/things/{id}'),
      read: at('GET', '/things/{id}'),
      sort: at('PUT', '/things/order'),
      list: at('GET', '/things'),
      add: at('POST', '/things'),
    },
    answer: (name, _, { params }) => ({ status: 200, headers: {}, body: JSON.stringify({ name, ...params }) }),
    onBug: (error) => {
      throw error
    },
    allowedHeaders,
  })

test.each([
  ['PUT', '/things/order', 200, '{"name":"sort"}', null],
  ['GET', '/things/7', 200, '{"name":"read","id":"7"}', null],
  ['HEAD', '/things/7', 200, '', null],
  ['PUT', '/things/7', 405, expect.stringContaining('method_not_allowed'), 'PATCH, GET, HEAD'],
  ['DELETE', '/things', 405, expect.stringContaining('method_not_allowed'), 'GET, HEAD, POST'],
  // a fixed path beside one with a parameter is not one of those
  ['DELETE', '/things/order', 405, expect.stringContaining('method_not_allowed'), 'PUT'],
  ['PATCH', '/things/order', 405, expect.stringContaining('method_not_allowed'), 'PUT'],
  ['HEAD', '/things/order', 405, '', 'PUT'],
])('%s %s: %i', async (method, path, status, body, allow) => {
  for (const names of [null, []]) {
    const reply = await app(names).request(path, { method })
    expect([reply.status, await reply.text(), reply.headers.get('allow')]).toEqual([status, body, allow])
  }
})

test('OPTIONS is answered where pages of other sites may ask, else it is a method like any other', async () => {
  for (const [path, allow] of [
    ['/things/order', 'PUT'],
    ['/things/7', 'PATCH, GET, HEAD'],
  ] as const) {
    const [open, closed] = await Promise.all([app([]), app(null)].map((one) => one.request(path, { method: 'OPTIONS' })))
    expect([open!.status, await open!.text()]).toEqual([204, ''])
    expect([closed!.status, closed!.headers.get('allow')]).toEqual([405, allow])
  }
})
