import { deploymentOperations } from '@augury/platform/operations'
import type { Operation } from '@augury/wire/operation'
import { expect, test } from 'vitest'
import { testSite } from '../../platform/test/test-site.ts'
import { servePlatformRoot } from '../src/platform-root.ts'

const { site } = await testSite()
const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Values that commonly break parsers. */
const VALUES = [
  ...[null, true, -1, 1.5, 1e308, [], [[]], {}, ['a', 'b'], '', '\0', 'a\0b', '\ud800', "' or true --", '%', '\\', '__proto__'],
  'x'.repeat(5000),
  '9'.repeat(400),
  '-1',
  '1e999',
  'NaN',
  '0x',
  '9999999999999999',
  '2026-13-45',
  '\u202etxt.exe',
]

/** An object schema, of which only the keys are used. */
interface Shaped {
  shape?: object
  _zod: { def: { innerType?: Shaped } }
}
const keysOf = (schema: unknown): string[] =>
  schema ? [...Object.keys((schema as Shaped).shape ?? {}), ...keysOf((schema as Shaped)._zod.def.innerType)] : []

/** Public reads, except those that call the exchange. */
const asksExchange = new Set(['eventActivity', 'listHolders'])
const open = Object.entries<Operation>(deploymentOperations).filter(
  ([name, { method, auth }]) => method === 'GET' && (auth === 'public' || auth === 'optional') && !asksExchange.has(name),
)

test.each(open)('%s takes any value for any part of its input, and for its input', async (name, { params, query }) => {
  const bugs: unknown[] = []
  const ask = async (input: unknown) => {
    const text = encodeURIComponent(JSON.stringify(input).replaceAll('\ud800', '\ufffd'))
    const request = new Request(`https://site.test/trpc/${name}?input=${text}`)
    const response = await servePlatformRoot(site, request, { clientAddress: '192.0.2.1' }, (error) => void bugs.push(error))
    expect(response.status, text.slice(0, 200)).toBeLessThan(500)
  }
  const known = Object.fromEntries(keysOf(params).map((key) => [key, ID]))
  for (const value of VALUES) {
    await ask(value)
    for (const part of ['params', 'query', 'body']) await ask({ [part]: value })
    for (const key of keysOf(params)) await ask({ params: { [key]: value }, query: {} })
    for (const key of keysOf(query)) await ask({ params: known, query: { [key]: value } })
  }
  expect(bugs).toEqual([])
})

test.each<[what: string, path: string, init: RequestInit, status: number]>([
  ['the input of a query', 'listEvents?input=%7B%22query%22%3A%7B%22limit%22%3A1%2C%22limit%22%3A2%7D%7D', {}, 400],
  ['one of a batch', 'listEvents?batch=1&input=%7B%220%22%3A%7B%22query%22%3A%7B%22limit%22%3A1%2C%22limit%22%3A2%7D%7D%7D', {}, 400],
  ['a body', 'signOut', { method: 'POST', body: '{"body":{},"body":{"a":1}}' }, 400],
  ['none', 'listEvents?input=%7B%22query%22%3A%7B%22limit%22%3A1%7D%7D', {}, 200],
])('%s with a key twice is refused', async (_, path, init, status) => {
  const request = new Request(`https://site.test/trpc/${path}`, { ...init, headers: { 'content-type': 'application/json' } })
  const response = await servePlatformRoot(site, request, { clientAddress: '192.0.2.1' }, (error) => expect.unreachable(String(error)))
  expect(response.status).toBe(status)
  if (status === 400) expect(await response.text()).toContain('Invalid payload: the same key twice')
})
