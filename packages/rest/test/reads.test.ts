import type { Operation } from '@augury/wire/operation'
import { adminOperations } from '@augury/wire/platform/admin-operations'
import { platformOperations } from '@augury/wire/platform/operations'
import { beforeAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const member = new Browser(at)
await member.signIn(walletOf(15_001))
await enable(member, walletOf(15_001))
await fund(at, walletOf(15_001).address, '100')
const admin = new Browser(at)
const { user } = (await admin.signIn(walletOf(15_002))).body
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(15_002).address.toLowerCase()])

const EVIL = { headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' } }
/** All reads but the exports by admins, which leave an entry in the audit log. */
const reads = Object.entries<Operation>({ ...platformOperations, ...adminOperations }).filter(
  ([name, { method, auth }]) => method === 'GET' && auth !== 'scheduler' && !name.startsWith('adminExport'),
)

/** The whole database of the deployment, by table. */
async function state(): Promise<Record<string, unknown>> {
  const tables = await at.rows(`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`)
  const hashes = tables.map(async ({ name }) => {
    const [row] = await at.rows(`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from "${name}" t`)
    return [String(name), row!.hash] as const
  })
  return Object.fromEntries(await Promise.all(hashes))
}

const params: Record<string, string> = {}
beforeAll(async () => {
  const order = { tokenId: at.markets.rain.yes, side: 'BUY', orderType: 'GTC', price: '0.01', size: '10' }
  await member.post('/api/orders', order)
  await member.post('/api/comments', { event: 'rain', content: 'It will.' })
  Object.assign(params, { slug: 'rain', group: 'general', kind: 'event', name: 'rain' })
})
/** A path to an existing resource, where possible. */
const pathOf = ({ path }: Operation) =>
  path
    .replace('/users/{id}', `/users/${user.id}`)
    .replace('/events/{id}', `/events/${at.markets.rain.event}`)
    .replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? at.markets.rain.event)
const QUERY = new URLSearchParams({ event: 'rain', search: 'ra', limit: '5', bookmarked: 'true' })

test('reads change nothing, for any reader and from any site', async () => {
  const before = await state()
  const answered = new Set<string>()
  for (const [name, operation] of reads)
    for (const browser of [new Browser(at), member, admin])
      for (const unusual of [{}, EVIL]) {
        const query = `${QUERY}&conditionId=${at.markets.rain.condition}&market=${at.markets.rain.condition}`
        const { status } = await browser.get(`${pathOf(operation)}?${query}`, unusual)
        if (status === 200) answered.add(name)
      }
  expect(await state()).toEqual(before)
  // Most must have succeeded, or this would show nothing.
  expect(answered.size).toBeGreaterThan(reads.length * 0.8)
})

test('exporting all members is logged, and changes nothing else', async () => {
  const before = await state()
  expect((await admin.get('/admin/api/users-export')).status).toBe(200)
  const after = await state()
  expect(Object.keys(before).filter((table) => before[table] !== after[table])).toEqual(['audit_head', 'audit_log', 'cache_tag'])
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
