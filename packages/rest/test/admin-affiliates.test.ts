import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(8100).address.toLowerCase() as `0x${string}`] })
const admin = new Browser(at)
await admin.signIn(walletOf(8100))

test("affiliates are listed with their referrals' figures, exact to the millionth", async () => {
  const [one, two] = [new Browser(at), new Browser(at)]
  const first = (await one.signIn(walletOf(8101))).body.user
  const second = (await two.signIn(walletOf(8102))).body.user
  await at.rows('insert into referral (user_id, referrer_id, created_at) values (?, ?, now())', [second.id, first.id])
  const paid = (seq: number, fee: number, amount: number) =>
    at.rows(
      `insert into affiliate_share (seq, at, condition_id, taker, referrer, volume, fee, amount) values (?, now(), '0x${'1'.repeat(64)}', ?, ?, 1000001, ?, ?)`,
      [seq, second.address.toLowerCase(), first.address.toLowerCase(), fee, amount],
    )
  await paid(1, 7, 3)
  await paid(2, 1_000_000, 500_000)
  const sums = { joined: 1, volume: 2.000002, fees: 1.000007, shares: 0.500003 }
  expect((await admin.get('/admin/api/affiliates?sortBy=shares')).body).toEqual({
    data: [{ id: first.id, address: first.address, username: null, affiliate_code: first.affiliate_code, ...sums }],
    totalCount: 1,
    totals: { affiliates: 1, ...sums },
  })
  expect((await admin.get('/admin/api/affiliates-export')).body.data.csv.split('\r\n')).toEqual([
    'address,username,affiliate_code,joined,volume,fees,shares',
    `${first.address},,${first.affiliate_code},1,2.000002,1.000007,0.500003`,
    '',
  ])
  expect((await admin.get('/admin/api/affiliates?search=unknown')).body).toMatchObject({
    data: [],
    totalCount: 0,
    totals: { affiliates: 1 },
  })
  expect(await admin.get('/admin/api/affiliates?sortBy=email')).toMatchObject({ status: 400, body: { code: 'invalid_sort_by' } })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
