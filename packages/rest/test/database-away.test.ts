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

const UNAVAILABLE = { error: 'Service unavailable. Try again in a moment.', code: 'service_unavailable' }

test(
  'while the database is frozen requests are refused as unavailable within seconds, and nobody is signed out',
  async () => {
    expect((await admin.get('/admin/api/users')).status).toBe(200)
    line.silence(true)
    const [users, ban, me, events] = await Promise.all([
      admin.get('/admin/api/users'),
      admin.post(`/admin/api/users/${crypto.randomUUID()}/update`, { banned: true }),
      admin.get('/api/auth/session'),
      anybody.get('/api/events?search=rain'),
    ])
    line.silence(false)
    expect(users).toMatchObject({ status: 503, body: { success: false, ...UNAVAILABLE } })
    expect(users.headers.get('retry-after')).toBe('5')
    expect(ban).toMatchObject({ status: 503, body: { success: false, ...UNAVAILABLE } })
    expect([me, events]).toMatchObject([
      { status: 503, body: UNAVAILABLE },
      { status: 503, body: UNAVAILABLE },
    ])
    expect(at.bugs).toEqual([])
    expect((await admin.get('/admin/api/users')).status).toBe(200)
  },
  LIMIT,
)
