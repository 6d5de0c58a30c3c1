import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { withdrawalsJob } from '@augury/platform/sync/withdrawals'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const destination = walletOf(9999).address
const admin = new Browser(at)
await admin.signIn(walletOf(9700))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(9700).address.toLowerCase()])
const member = new Browser(at)
const { user } = (await member.signIn(walletOf(9701))).body
await fund(at, walletOf(9701).address, '100')

const take = async (amount: string) => (await member.post('/api/withdrawals', { amount, destination })).body
const end = (id: string, outcome: string) => admin.post(`/admin/api/withdrawals/${id}/end`, { outcome })
const list = async (query = '') => (await admin.get(`/admin/api/withdrawals${query}`)).body
const ids = async (query = '') => (await list(query)).data.map(({ id }: { id: string }) => id)
const toPay = async () => (await admin.get('/admin/api/dashboard')).body.data.totals.withdrawals_to_pay

test('an admin sees what members take out, pays it, and says so', async () => {
  const [one, two] = [await take('10'), await take('20')]
  expect(await list()).toMatchObject({
    totalCount: 2,
    data: [
      { id: one.id, amount: '10000000', destination, status: 'sent', user: { id: user.id, address: walletOf(9701).address } },
      { id: two.id },
    ],
  })
  expect(await toPay()).toBe(2)
  for (const _ of [1, 2]) expect(await end(one.id, 'settled')).toMatchObject({ status: 200, body: { data: { status: 'settled' } } })
  expect(await end(one.id, 'returned')).toMatchObject({ status: 409, body: { success: false, code: 'withdrawal_gone_on' } })
  expect((await end(two.id, 'returned')).body.data).toMatchObject({ status: 'returned' })
  expect([await ids(), await ids('?status=all'), await toPay()]).toEqual([[], [two.id, one.id], 0])
  for (const search of [destination.toUpperCase().slice(4, 20), walletOf(9701).address])
    expect(await ids(`?status=all&search=${search}`)).toHaveLength(2)
  expect(await ids('?status=all&search=unknown')).toEqual([])
  expect((await member.get('/api/withdrawals')).body.map(({ status }: { status: string }) => status)).toEqual(['returned', 'settled'])
  const titles = (await member.get('/api/notifications')).body.map(({ title }: { title: string }) => title)
  expect(titles).toEqual(expect.arrayContaining(['Withdrawal completed', 'Withdrawal returned']))
  const log = (await admin.get('/admin/api/audit-log?action=withdrawal_ended')).body.data
  expect(log).toMatchObject([
    { subject: { id: user.id }, details: { target: two.id, after: { outcome: 'returned', amount: '20000000' } } },
    { subject: { id: user.id }, details: { target: one.id, after: { outcome: 'settled', amount: '10000000' } } },
  ])
  expect((await take('80')).status).toBe('sent') // what was given back can be taken out again
})

test('one that is held, unknown, or was ended at the exchange in the other way is not ended', async () => {
  const { id } = await take('1')
  const treasury = await at.site.exchange.treasury()
  await treasury.returnWithdrawal({ params: { ref: `withdrawal-${id}` } })
  expect(await end(id, 'settled')).toMatchObject({ status: 409, body: { code: 'withdrawal_gone_on' } })
  await runJob(at.site, workerScheduler('test'), withdrawalsJob(at.site.exchange.treasury))
  expect((await end(id, 'returned')).body.data.status).toBe('returned')
  expect(await end(user.id, 'settled')).toMatchObject({ status: 404, body: { code: 'withdrawal_not_found' } })
  await at.rows(`update withdrawal set status = 'requested', held_until = created_at + interval '1 day' where id = ?`, [id])
  expect(await end(id, 'settled')).toMatchObject({ status: 409, body: { code: 'withdrawal_gone_on' } })
  expect((await list()).data).toMatchObject([{ status: 'sent' }, { id, status: 'requested' }])
})

test('a withdrawal that is held can be stopped, and one that has gone on cannot', async () => {
  const { id } = await take('1')
  expect(await end(id, 'cancelled')).toMatchObject({ status: 409, body: { code: 'withdrawal_gone_on' } })
  const [held] = (await list()).data.filter(({ status }: { status: string }) => status === 'requested')
  for (const _ of [1, 2]) expect(await end(held.id, 'cancelled')).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } })
  expect(await ids()).not.toContain(held.id)
  expect((await member.get('/api/withdrawals')).body).toContainEqual(expect.objectContaining({ id: held.id, status: 'cancelled' }))
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
