import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { withdrawalsJob } from '@augury/platform/sync/withdrawals'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { fund, tradingSite } from './exchange.ts'

const [ANN, BOB, CAT] = [walletOf(9801), walletOf(9802), walletOf(9803)]
const at = await tradingSite(
  {},
  {
    withdrawTwoAdminsAbove: 50_000_000,
    adminWallets: [ANN, BOB].map(({ address }) => address.toLowerCase() as `0x${string}`),
  },
)
const destination = walletOf(9999).address
const [ann, bob, cat, member] = [new Browser(at), new Browser(at), new Browser(at), new Browser(at)]
for (const [browser, wallet] of [
  [ann, ANN],
  [bob, BOB],
  [cat, CAT],
] as const)
  await browser.signIn(wallet)
const { user } = (await member.signIn(walletOf(9804))).body
await fund(at, walletOf(9804).address, '500')
// Cat was added by Ann: the same person, as far as can be known.
await at.rows(
  `insert into admin_wallet (address, added_by_id, created_at) select ?, id, now() from users where address = ?`,
  [CAT, ANN].map(({ address }) => address.toLowerCase()),
)

const take = async (amount: string) => (await member.post('/api/withdrawals', { amount, destination })).body
const approve = (by: Browser, id: string) => by.post(`/admin/api/withdrawals/${id}/approve`)
const sync = () => runJob(at.site, workerScheduler('test'), withdrawalsJob(at.site.exchange.treasury))
const statusOf = async (id: string): Promise<string> =>
  (await member.get('/api/withdrawals')).body.find((one: { id: string }) => one.id === id).status

test('above the limit a withdrawal waits until two independent admins have approved it', async () => {
  expect(await take('50')).toMatchObject({ status: 'sent', awaits_admins: false }) // exactly the limit
  const large = await take('60')
  expect(large).toMatchObject({ status: 'requested', awaits_admins: true })
  at.clock.advance(86_400_000)
  for (const [browser, wallet] of [
    [ann, ANN],
    [bob, BOB],
    [cat, CAT],
    [member, walletOf(9804)],
  ] as const)
    await browser.signIn(wallet)
  await sync()
  expect(await statusOf(large.id)).toBe('requested')

  expect((await approve(member, large.id)).status).toBe(403)
  for (const _ of [1, 2]) expect((await approve(ann, large.id)).body).toMatchObject({ data: { awaits_admins: true, approvals: 1 } })
  expect((await approve(cat, large.id)).body).toMatchObject({ data: { awaits_admins: true } }) // of Ann
  await sync()
  expect(await statusOf(large.id)).toBe('requested')
  expect((await approve(bob, large.id)).body).toMatchObject({ success: true, data: { awaits_admins: false } })
  expect(await approve(bob, large.id)).toMatchObject({ status: 409, body: { code: 'withdrawal_gone_on' } })
  await sync()
  expect(await statusOf(large.id)).toBe('sent')
  const log = (await ann.get('/admin/api/audit-log?action=withdrawal_approved')).body.data
  expect(log).toMatchObject([
    {
      subject: { id: user.id },
      details: { target: large.id, after: { amount: '60000000', destination: destination.toLowerCase(), approvals: 2 } },
    },
    { details: { target: large.id, after: { approvals: 1 } } },
    { details: { target: large.id, after: { approvals: 1 } } },
  ])
})

test('its member cancels it while it waits, and an admin stops it; then nobody approves it', async () => {
  const [mine, stopped] = [await take('70'), await take('80')]
  expect((await member.call('DELETE', `/api/withdrawals/${mine.id}`)).body.status).toBe('cancelled')
  expect((await ann.post(`/admin/api/withdrawals/${stopped.id}/end`, { outcome: 'cancelled' })).body.data.status).toBe('cancelled')
  for (const { id } of [mine, stopped]) {
    for (const by of [ann, bob]) expect(await approve(by, id)).toMatchObject({ status: 409, body: { code: 'withdrawal_gone_on' } })
    await sync()
    expect(await statusOf(id)).toBe('cancelled')
  }
})

test('two approvals at once move it on once', async () => {
  const { id } = await take('90')
  const answers = await Promise.all([ann, bob].map((by) => approve(by, id)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  at.clock.advance(1_000)
  await sync()
  expect(await statusOf(id)).toBe('requested') // the device is new: approvals do not shorten that wait
  at.clock.advance(86_400_000)
  await member.signIn(walletOf(9804))
  for (const _ of [1, 2]) await sync()
  expect(await statusOf(id)).toBe('sent')
})
