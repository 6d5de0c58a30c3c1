import type { Operation } from '@augury/wire/operation'
import { platformOperations } from '@augury/wire/platform/operations'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const member = new Browser(at)
await member.signIn(walletOf(4001))
const operations = Object.entries<Operation>(platformOperations).filter(([, { auth }]) => auth !== 'scheduler')
const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Texts that commonly break parsers. */
const TEXTS = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  "' or true --",
  '%',
  '\\',
  '../../etc/passwd',
  '__proto__',
  '$1',
  '?',
  '{"$ne":null}',
  '\u202etxt.exe',
  'x'.repeat(5000),
  '9'.repeat(400),
  '-1',
  '1e999',
  'NaN',
  '0x',
]
/** Values of unexpected types. */
const VALUES = [null, true, 0, -1, 1.5, 1e308, [], [[]], {}, { a: 1 }, ['a'], ...TEXTS]

/** An object schema, of which only the keys are used. */
interface Shaped {
  shape?: object
  options?: Shaped[]
  _zod: { def: { innerType?: Shaped } }
}
const keysOf = (schema: unknown): string[] => {
  if (!schema) return []
  const { shape, options = [], _zod } = schema as Shaped
  return [...new Set([...Object.keys(shape ?? {}), ...options.flatMap(keysOf), ...keysOf(_zod.def.innerType)])]
}

/** Sends a request, which must be answered or refused, and may fail only because the exchange is unavailable here. */
async function isAnswered(method: string, path: string, text?: string): Promise<void> {
  const { status, body, headers } = await member.call(method, path, undefined, text === undefined ? {} : { text })
  const context = `${method} ${path.slice(0, 200)} ${text?.slice(0, 200) ?? ''}: ${status} ${JSON.stringify(body).slice(0, 200)}`
  expect(headers.get('content-type'), context).toBe('application/json; charset=utf-8')
  if (status >= 500) expect(['service_unavailable', 'outcome_unknown'], context).toContain(body.code)
  else if (status >= 400 && !('data' in body))
    expect(body, context).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^[a-z_]+$/) })
}
const filled = ({ path }: Operation, param = ID) => path.replace(/\{\w+\}/g, encodeURIComponent(param))
const asksExchange = new Set(['placeOrder', 'cancelOrder', 'listOpenOrders', 'listEventOpenOrders', 'eventActivity', 'listHolders'])
const here = operations.filter(([name, { path }]) => !asksExchange.has(name) && path !== '/api/auth/sign-out')

test.each(here.filter(([, { path }]) => path.includes('{')))('%s answers or refuses any text in its path', async (_, operation) => {
  for (const text of TEXTS.filter((each) => each !== '' && each !== '\ud800')) {
    await isAnswered(operation.method, filled(operation, text), operation.body ? '{}' : undefined)
  }
})

test.each(here.filter(([, { query }]) => query))('%s answers or refuses any text in its query, also twice', async (_, operation) => {
  for (const key of keysOf(operation.query)) {
    for (const text of TEXTS) {
      const pair = `${key}=${encodeURIComponent(text.toWellFormed())}`
      await isAnswered(operation.method, `${filled(operation)}?${pair}`)
      await isAnswered(operation.method, `${filled(operation)}?${pair}&${pair}`)
    }
    await isAnswered(operation.method, `${filled(operation)}?${key}[]=1&${key}[a]=2&${key}=%ff`)
  }
})

test.each(here.filter(([, { body }]) => body))('%s answers or refuses any value in its body, and as its body', async (_, operation) => {
  for (const value of VALUES) {
    await isAnswered(operation.method, filled(operation), JSON.stringify(value))
    for (const key of keysOf(operation.body)) await isAnswered(operation.method, filled(operation), JSON.stringify({ [key]: value }))
    await isAnswered(
      operation.method,
      filled(operation),
      JSON.stringify(Object.fromEntries(keysOf(operation.body).map((key) => [key, value]))),
    )
  }
  for (const text of ['', '{', '[', 'null', '"', '\0', '{"a":1}{"a":2}', '{"__proto__":{"a":1}}', `{"a":${'['.repeat(2000)}`, '\ufeff{}'])
    await isAnswered(operation.method, filled(operation), text)
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a body of a %s with a key twice is refused on every route', async (method) => {
  for (const operation of operations.map(([, one]) => one).filter((one) => one.method === method && one.body)) {
    const { status, body } = await member.call(method, filled(operation), undefined, { text: '{"a":{"b":1,"b":2}}' })
    expect([operation.path, status]).toEqual([operation.path, expect.toBeOneOf([400, 401, 403])])
    if (status === 400)
      expect([operation.path, body.error ?? body.message]).toEqual([operation.path, 'Invalid payload: the same key twice'])
  }
})
