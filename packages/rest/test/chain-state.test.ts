import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { withdrawalsJob } from '@augury/platform/sync/withdrawals'
import { claimWithdrawals } from '@augury/platform/withdrawals/claims'
import { getAddress, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({
  settlement: 'chain',
  vaultAddress: `0x${'a1'.repeat(20)}`,
  collateralAddress: `0x${'b2'.repeat(20)}`,
  confirmations: 12,
  minDeposit: 2_000_000,
})
const hash = (byte: string) => `0x${byte.repeat(32)}`
const report = {
  ...{ chain_id: 80_002, vault: `0x${'a1'.repeat(20)}`, collateral: `0x${'b2'.repeat(20)}`, confirmations: 12, head: 140, confirmed: 128 },
  ...{ lag_seconds: 2, balance: 30_000_000, deposits: 30_000_000, payments: 0, deposit_count: 3, credited_count: 3 },
  ...{ limit: 100_000_000, spent: 0, paused: false, vetoed: false, frozen: false, root: null, root_waits: null },
  ...{ operator: { address: hash('aa').slice(0, 42), wei: '1000' }, outbox_open: 1, withdrawals_waiting: 1, oldest_unpaid_at: null },
  ...{ halted: null, troubles: [] },
}
const reports = (status: object) =>
  at.rows(
    `insert into chain.status (id, status, updated_at) values (1, ?::jsonb, ?)
     on conflict (id) do update set status = excluded.status, updated_at = excluded.updated_at`,
    [JSON.stringify(status), at.site.now()],
  )

let wallets = 7500
async function member() {
  const browser = new Browser(at)
  const wallet = walletOf(++wallets)
  const { user } = (await browser.signIn(wallet)).body
  return { browser, user, address: wallet.address, account: wallet.address.toLowerCase() }
}
const withdrawal = async (userId: string, account: string, status: string) => {
  const [row] = await at.rows(
    `insert into withdrawal (user_id, address, destination, amount, status, created_at, updated_at) values (?, ?, ?, 7000000, ?, ?, ?) returning id`,
    [userId, account, account, status, at.site.now(), at.site.now()],
  )
  return String(row!.id)
}
const versionsOf = (...raw: string[]) =>
  JSON.stringify(raw.map((each, i) => ({ raw: each, maxFee: '1', tip: '1', at: 1_700_000_000_000 + i })))
const pay = (nonce: number, ids: string[], versions: string) =>
  at.rows(
    `insert into chain.intent (nonce, purpose, "to", data, gas, versions, mined) values (?, ?::jsonb, '0x', '0x', 1, ?::jsonb, false)`,
    [
      nonce,
      JSON.stringify({
        kind: 'pay',
        payments: ids.map((id) => ({ ref: hash('01'), name: `withdrawal-${id}`, account: '0x', to: '0x', amount: 7_000_000 })),
      }),
      versions,
    ],
  )

test('a withdrawal says how far the vault’s payment is, with its transaction', async () => {
  const { browser, user, account } = await member()
  const id = await withdrawal(user.id, account, 'sent')
  const other = await withdrawal(user.id, account, 'approved')
  const shown = async () => (await browser.get('/api/withdrawals')).body.find((each: { id: string }) => each.id === id)
  expect(await shown()).toMatchObject({ status: 'queued', tx_hash: null, chain_id: null, block: null })
  await pay(1, [other, id], '[]')
  expect(await shown()).toMatchObject({ status: 'queued', tx_hash: null, chain_id: 80_002 })
  await at.rows('update chain.intent set versions = ?::jsonb where nonce = 1', [versionsOf('0x02aa', '0x02bb')])
  expect(await shown()).toMatchObject({ status: 'sent', tx_hash: keccak256('0x02bb'), block: null })
  await at.rows('update chain.intent set mined = true, booked_number = 128, booked_hash = ? where nonce = 1', [hash('c3')])
  expect(await shown()).toMatchObject({ status: 'confirmed', tx_hash: keccak256('0x02bb'), block: 128 })
  await at.rows(`update withdrawal set status = 'settled' where id = ?`, [id])
  expect(await shown()).toMatchObject({ status: 'settled', tx_hash: keccak256('0x02bb') })
})

test('a withdrawal is cancelled until the settler claims it, by its member alone', async () => {
  const { browser, user, account } = await member()
  const [free, claimed] = [await withdrawal(user.id, account, 'sent'), await withdrawal(user.id, account, 'sent')]
  const cancel = (id: string, who = browser) => who.call('DELETE', `/api/withdrawals/${id}`)
  expect(await cancel(free, (await member()).browser)).toMatchObject({ status: 404, body: { code: 'withdrawal_not_found' } })
  expect((await cancel(free)).body).toMatchObject({ id: free, status: 'cancelling' })
  expect((await cancel(free)).body.status).toBe('cancelling')
  await claimWithdrawals(at.site.em(), [`withdrawal-${claimed}`], 'settler')
  expect(await cancel(claimed)).toMatchObject({ status: 409, body: { code: 'withdrawal_gone_on' } })
  expect(await at.rows(`select details ->> 'id' as id from audit_log where action = 'withdrawal_cancelled'`)).toEqual([{ id: free }])
  // The settler gave the money back: the job learns it from the exchange.
  const exchange = async () => ({ withdraw: async () => ({ ref: '', status: 'returned' as const, balance: '7' }) })
  await runJob(at.site, workerScheduler('test'), withdrawalsJob(exchange))
  const statuses = new Map((await browser.get('/api/withdrawals')).body.map(({ id, status }: Record<string, string>) => [id, status]))
  expect(statuses).toEqual(
    new Map([
      [free, 'cancelled'],
      [claimed, 'returned'],
    ]),
  )
})

test('everybody sees how the chain stands, and admins what differs, what is under way, and deposits without an account', async () => {
  const [{ browser, account, user, address }, banned] = [await member(), await member()]
  expect((await browser.get('/admin/api/chain')).status).toBe(403)
  await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [account])
  const chain = async () => (await browser.get('/admin/api/chain')).body.data
  expect((await chain()).differs).toEqual(['The settler has never reported. Start it: deposits and withdrawals wait for it.'])
  await reports(report)
  expect(await chain()).toMatchObject({ differs: [], settler: { outbox_open: 1 }, place: { confirmations: 12 } })
  const seen = (await new Browser(at).get('/api/chain')).body
  expect(seen).toMatchObject({ settlement: 'chain', status: { head: 140, balance: 30_000_000, halted: false } })
  expect(Object.keys(seen.status)).not.toContain('operator')

  const halted = { step: 'compare', reason: 'vault_differs', message: 'the vault holds less' }
  await reports({
    ...report,
    balance: 29_000_000,
    halted,
    vetoed: true,
    root_waits: 'custody',
    troubles: [{ ...halted, message: 'no answer' }],
  })
  at.clock.advance(61_000)
  expect((await chain()).differs).toEqual([
    'The settler has not reported for 61 s. Deposits and withdrawals wait for it.',
    'Payments are stopped (vault_differs): the vault holds less',
    'The vault holds $29.00, and its deposits less its payments are $30.00.',
    'The guardian vetoed a root: nothing is paid or posted until the timelock resumes.',
    'The newest root is not posted: custody.',
    'compare: no answer',
  ])

  const lost = await withdrawal(user.id, account, 'returned')
  await pay(5, [lost], versionsOf('0x02cc'))
  await at.rows('update users set banned_at = now() where address = ?', [banned.account])
  const stranger = `0x${'e9'.repeat(20)}`
  for (const [n, to] of [
    [1, account],
    [2, banned.account],
    [3, stranger],
  ] as const)
    await at.rows(
      `insert into chain.deposit (n, account, sender, amount, total, block_number, block_hash, transaction) values (?, ?, ?, 5000000, ?, 9, '0x', ?)`,
      [n, to, to, 5_000_000 * n, hash('d4')],
    )
  const { intents, failed, strangers } = await chain()
  expect(intents).toMatchObject([
    { nonce: 5, kind: 'pay', count: 1, amount: '7000000', tx_hash: keccak256('0x02cc'), versions: 1, mined: false },
  ])
  expect(failed).toMatchObject([{ id: lost, user: { address }, tx_hash: keccak256('0x02cc') }])
  expect(strangers).toMatchObject([
    { number: 3, account: getAddress(stranger), reason: 'unknown', amount: '5000000' },
    { number: 2, account: getAddress(banned.account), reason: 'banned' },
  ])
})
