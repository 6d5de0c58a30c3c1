import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const LIMIT = 60_000

/** Takes every connection and says nothing. */
const frozen = createServer(() => {}).listen(0, '127.0.0.1')
await once(frozen, 'listening')
afterAll(() => frozen.close())
const clobUrl = `http://127.0.0.1:${(frozen.address() as AddressInfo).port}`
const at = await testSite({ clobUrl, publicClobUrl: clobUrl })
const [admin, member] = [new Browser(at), new Browser(at)]
await admin.signIn(walletOf(8300))
const { user } = (await member.signIn(walletOf(8301))).body
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(8300).address.toLowerCase()])

test(
  'while the exchange is frozen a change by an admin is refused before its transaction times out, and rolled back',
  async () => {
    const note = 'Traded against itself.'
    expect(await admin.post(`/admin/api/users/${user.id}/update`, { banned: true, note })).toMatchObject({
      status: 500,
      body: { success: false, error: 'Internal server error', code: 'service_unavailable' },
    })
    expect(await at.rows('select banned_at from users where id = ?', [user.id])).toEqual([{ banned_at: null }])
    expect((await admin.get('/admin/api/audit-log?action=member_changed')).body.totalCount).toBe(0)
    expect(at.bugs).toEqual([])
  },
  LIMIT,
)
