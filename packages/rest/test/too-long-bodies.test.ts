import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exactPaths } from '../src/exact-paths.ts'
import { hardenedServer } from '../src/hardened-server.ts'
import { httpApp, type Routes } from '../src/http.ts'

/** An operation that echoes its input, a moment later if asked. */
const echo: Operation = { ...venueOperations.getSpreads, path: '/echo', bodyLimit: BODY_LIMIT }
const executed: string[] = []
const routes: Routes = {
  operations: { echo, named: { ...echo, path: '/echo/{name}' } },
  async answer(_name, _operation, { query, body }) {
    executed.push(Buffer.from(body).toString())
    if (query === 'later') await wait(100)
    return { status: 200, headers: {}, body: JSON.stringify(Buffer.from(body).toString()) }
  },
  onBug: (error) => {
    throw error
  },
  allowedHeaders: [],
}
const server = hardenedServer(exactPaths(routes, getRequestListener(httpApp(routes).fetch)))

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
beforeEach(() => void executed.splice(0))
afterAll(() => server.close())

/** Sends a text, and returns what the server said until it ended the connection. The client leaves when it has heard that. */
async function heard(said: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(said)
  let all = ''
  for await (const chunk of socket) all += chunk
  return all
}
const post = (path: string, headers: string, body = '') => `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`
const whole = (path: string, body: string) => post(path, `Content-Length: ${body.length}`, body)
const REFUSED = /^HTTP\/1.1 413 [\s\S]*\r\nconnection: close\r\n[\s\S]*"code":"payload_too_large"}$/i

test.each(['/echo', '/echo/me'])('a body that is announced as too long for %s is refused before any of it comes', async (path) => {
  const length = `Content-Length: ${BODY_LIMIT + 1}`
  expect(await heard(post(path, length))).toMatch(REFUSED)
  expect(await heard(post(path, `${length}\r\nExpect: 100-continue`))).toMatch(REFUSED) // and is not asked for
})

test.each(['/echo', '/echo/me'])('a body that comes although it is too long for %s does not cost the client its answer', async (path) => {
  const body = 'x'.repeat(8_000_000)
  expect(await heard(whole(path, body))).toMatch(REFUSED)
  expect(await heard(post(path, 'Transfer-Encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`))).toMatch(REFUSED)
})

test('before a body that is too long requests are answered, and behind it none is executed', async () => {
  const answers = await heard([whole('/echo?later', 'one'), whole('/echo', 'x'.repeat(BODY_LIMIT + 1)), whole('/echo', 'two')].join(''))
  const [first, second, ...others] = answers.split(/(?=HTTP\/1.1 )/)
  expect([first, second, others]).toEqual([expect.stringMatching(/^HTTP\/1.1 200 [\s\S]*"one"$/), expect.stringMatching(REFUSED), []])
  expect(executed).toEqual(['one'])
})

test.each(['/echo', '/echo/me'])('a body within the limit of %s is asked for', async (path) => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(post(path, 'Content-Length: 3\r\nExpect: 100-continue\r\nConnection: close'))
  let all = ''
  for await (const chunk of socket) {
    all += chunk
    if (all.endsWith('100 Continue\r\n\r\n')) socket.write('one')
  }
  expect(all).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 [\s\S]*"one"$/)
})
