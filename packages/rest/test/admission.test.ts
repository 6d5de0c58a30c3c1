import type { Operation } from '@augury/wire/operation'
import { adminOperations } from '@augury/wire/platform/admin-operations'
import { platformOperations } from '@augury/wire/platform/operations'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(3900).address.toLowerCase() as `0x${string}`] })
const operations = Object.entries<Operation>({ ...platformOperations, ...adminOperations })
const behindDoor = operations.filter(([, { auth }]) => auth !== 'public')
const closed = operations.filter(([, { auth }]) => auth === 'member' || auth === 'admin')
const writing = behindDoor.filter(([, { method }]) => method !== 'GET')
/** The specification: failures of admin routes say that they are. */
const envelope = ({ path }: Operation) => (path.startsWith('/admin/api/') ? { success: false } : {})
const pathOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057')

const member = new Browser(at)
await member.signIn(walletOf(3001))
const other = new Browser(at)
await other.signIn(walletOf(3002))
const boss = new Browser(at)
await boss.signIn(walletOf(3900))

test.each(closed)('%s is closed to anonymous callers', async (_, operation) => {
  const { status, body } = await new Browser(at).call(operation.method, pathOf(operation), operation.body ? {} : undefined)
  expect([status, body]).toEqual([401, { ...envelope(operation), error: 'Unauthenticated.', code: 'unauthenticated' }])
})

test.each(closed)('%s asks a script without a session to sign in, however it sends', async (_, operation) => {
  const headers = { origin: null, 'content-type': null }
  const { status, body } = await new Browser(at).call(operation.method, pathOf(operation), undefined, { headers })
  expect([status, body.code]).toEqual([401, 'unauthenticated'])
})

test.each(closed)('%s is closed to a session that has ended', async (_, operation) => {
  const former = new Browser(at)
  await former.signIn(walletOf(3003))
  const cookie = `__Host-augury_session=${former.jar.get('__Host-augury_session')}`
  await former.post('/api/auth/sign-out')
  const { status } = await former.call(operation.method, pathOf(operation), operation.body ? {} : undefined, { headers: { cookie } })
  expect(status).toBe(401)
})

test.each(operations.filter(([, { auth }]) => auth === 'admin'))('%s is closed to a member who is no admin', async (_, operation) => {
  const { status, body } = await member.call(operation.method, pathOf(operation), operation.body ? {} : undefined)
  expect([status, body]).toEqual([403, { ...envelope(operation), error: 'Unauthorized. Admin access required.', code: 'admin_required' }])
})

const FOREIGN: [string, Record<string, string | null>][] = [
  ['another site', { origin: 'https://evil.test' }],
  ['a site below ours', { origin: 'https://a.site.test' }],
  ['our host with another scheme', { origin: 'http://site.test' }],
  ['our host on another port', { origin: 'https://site.test:8443' }],
  ['a name that begins with ours', { origin: 'https://site.test.evil.test' }],
  ['nowhere', { origin: 'null' }],
  ['an empty origin', { origin: '' }],
  ['another site by Sec-Fetch-Site', { origin: null, 'sec-fetch-site': 'cross-site' }],
  ['another site by Sec-Fetch-Site, with our origin', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling site by Sec-Fetch-Site', { origin: null, 'sec-fetch-site': 'same-site' }],
  ['a form of plain text', { origin: null, 'content-type': 'text/plain' }],
  ['a form of fields', { origin: null, 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form of files', { origin: null, 'content-type': 'multipart/form-data; boundary=x' }],
  ['a form without a type', { origin: null, 'content-type': null }],
  ['a form that looks like ours', { origin: null, 'content-type': 'application/json+x' }],
]
test.each(writing.flatMap(([name, operation]) => FOREIGN.map(([from, headers]) => [name, from, operation, headers] as const)))(
  '%s refuses a request from %s',
  async (_, __, operation, headers) => {
    const { status, body } = await member.call(operation.method, pathOf(operation), undefined, { headers, text: '{}' })
    expect([status, body.code]).toEqual([403, 'foreign_origin'])
  },
)

test.each<[string, Record<string, string | null>]>([
  ['our own page', {}],
  ['our own page by Sec-Fetch-Site', { origin: null, 'sec-fetch-site': 'same-origin' }],
  ['a script', { origin: null }],
])('a write from %s is let in', async (_, headers) => {
  expect((await member.post('/api/auth/two-factor/confirm', { code: '000000' }, { headers })).body.code).toBe('two_factor_not_enrolled')
})

test.each(closed)('%s refuses a page that another member opened, and no page of the member who is signed in', async (_, operation) => {
  const call = (name: string) =>
    (operation.auth === 'admin' ? boss : member).call(operation.method, pathOf(operation), undefined, {
      headers: { 'x-member': name },
      text: operation.body ? '[]' : undefined,
    })
  expect((await call(walletOf(3002).address)).status).toBe(401)
  const { address } = walletOf(operation.auth === 'admin' ? 3900 : 3001)
  if (operation.path !== '/api/auth/sign-out') expect((await call(address)).status).not.toBe(401)
})

test('reading changes nothing, wherever it comes from', async () => {
  const tables = ['users', 'wallet', 'session', 'sign_in_nonce', 'pending_second_factor', 'two_factor', 'recovery_code', 'audit_log']
  const state = async () => {
    const rows = await Promise.all(
      tables.map((table) => at.rows(`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from ${table} t`)),
    )
    return rows.map(([row]) => row!.hash)
  }
  const before = await state()
  for (const [, operation] of operations.filter(([, { method }]) => method === 'GET')) {
    await member.get(pathOf(operation), { headers: { origin: 'https://evil.test' } })
    expect((await member.get(pathOf(operation))).headers.get('access-control-allow-origin')).toBeNull()
  }
  expect(await state()).toEqual(before)
})

const GREEDY = { is_admin: true, two_factor_enabled: true, settings: {}, address: walletOf(1).address, total_volume: 1, id: 'x' }
test.each(writing)('%s ignores or refuses fields that are not in its schema', async (_, operation) => {
  const users = () => at.rows('select * from users order by id')
  const before = await users()
  const { status } = await (operation.auth === 'admin' ? boss : member).call(operation.method, pathOf(operation), GREEDY)
  expect(status).toBeLessThan(500)
  if (operation.body) expect(status).toBe(400)
  expect(await users()).toEqual(before)
  if (operation.path === '/api/auth/sign-out') await member.signIn(walletOf(3001))
})

test.each([
  ['__proto__', '{"code":"000000","__proto__":{"isAdmin":true}}'],
  ['constructor', '{"code":"000000","constructor":{"prototype":{"isAdmin":true}}}'],
  ['an escaped __proto__', '{"code":"000000","\\u005f_proto__":{"isAdmin":true}}'],
])('a body with %s is refused', async (_, text) => {
  expect((await member.post('/api/auth/two-factor/confirm', undefined, { text })).status).toBe(400)
  expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
})

test('a body that is too long or nested too deeply is refused', async () => {
  expect((await member.post('/api/auth/siwe/nonce', undefined, { text: `{"walletAddress":"${'a'.repeat(70_000)}"}` })).status).toBe(413)
  expect((await member.post('/api/auth/siwe/nonce', undefined, { text: '['.repeat(30_000) })).body.code).toBe('invalid_json')
})

test('a member removed from the list of admins is no admin from the next request on', async () => {
  const admin = new Browser(at)
  const { user } = (await admin.signIn(walletOf(3900))).body
  expect(user.is_admin).toBe(true)
  const demoted = await testSite({ databaseUrl: at.site.settings.databaseUrl })
  const same = new Browser(demoted)
  for (const [name, value] of admin.jar) same.jar.set(name, value)
  expect((await same.get('/api/auth/session')).body).toMatchObject({ id: user.id, is_admin: false })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
