import { migratePlatform } from '@augury/domain/platform/database'
import { openLine } from '@augury/testing/cut-line'
import { migratedDatabase } from '@augury/testing/database'
import { afterAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const LIMIT = 60_000

const url = new URL(await migratedDatabase('platform', migratePlatform))
const line = await openLine(Number(url.port), { host: url.hostname })
afterAll(() => line.close())
url.hostname = '127.0.0.1'
url.port = String(line.port)
const at = await testSite({ databaseUrl: url.href, adminWallets: [walletOf(8200).address.toLowerCase() as `0x${string}`] })
const [admin, anybody] = [new Browser(at), new Browser(at)]
await admin.signIn(walletOf(8200))

const CODE = 'service_unavailable'
const ADMIN = { success: false, error: 'Internal server error', code: CODE }

/** What the law says of a failure of each route, passing or not. */
const LAW: [string, string][] = [
  ['/api/price-reference/live-series?seriesSlug=btc-usd-5m&eventEndMs=1700000000000', 'Failed to load price reference snapshot'],
  ['/api/events/rain/market-metadata?conditionId=0x1', 'An unexpected error occurred. Please try again later.'],
  ...[
    '/api/events?search=rain',
    '/api/events/rain/related',
    '/api/markets/status?conditionIds=0x1',
    '/api/open-orders',
    '/api/event-activity?market=0x1',
    '/api/users?search=rain',
    '/api/notifications',
    '/api/affiliate-info',
    '/api/auth/session',
  ].map((path): [string, string] => [path, 'Internal server error. Try again in a few moments.']),
]

test(
  'while the database is frozen requests fail within seconds with the status and text of the law, and no member is signed out',
  async () => {
    expect((await admin.get('/admin/api/users')).status).toBe(200)
    line.silence(true)
    const [users, ban, anonymous] = await Promise.all([
      admin.get('/admin/api/users'),
      admin.post(`/admin/api/users/${crypto.randomUUID()}/update`, { banned: true }),
      anybody.get('/api/events?search=rain'),
    ])
    const told = await Promise.all(LAW.map(async ([path]) => [path, await admin.get(path)] as const))
    line.silence(false)
    expect(users).toMatchObject({ status: 500, body: ADMIN })
    expect(users.headers.get('retry-after')).toBe('5')
    expect(ban).toMatchObject({ status: 500, body: ADMIN })
    expect(anonymous).toMatchObject({ status: 500, body: { error: LAW[2]![1], code: CODE } })
    expect(told.map(([path, { status, body }]) => [path, status, body])).toEqual(
      LAW.map(([path, error]) => [path, 500, { error, code: CODE }]),
    )
    expect(at.bugs).toEqual([])
    expect((await admin.get('/admin/api/users')).status).toBe(200)
  },
  LIMIT,
)
