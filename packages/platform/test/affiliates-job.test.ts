import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { beforeEach, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import type { Operator } from '../src/exchange/operator-client.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { affiliatesJob } from '../src/sync/affiliates.ts'
import { CREATOR, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const notAllowed = () => new RefusedError(403, { error: 'not allowed', code: 'insufficient_scope' }, undefined)

/** One who refers and four who joined by the link, of whom the first two have a key through this deployment. */
const addressOf = (n: number) => `0x${String(n).repeat(40)}`
const members = await rows<{ id: string }>(
  `insert into users (address, affiliate_code) select '0x' || repeat(n::text, 40), 'member' || n from generate_series(1, 5) n returning id`,
)
const [referrer, ...joined] = members.map(({ id }) => id)
for (const id of joined.slice(0, 2))
  await rows(
    `insert into trading_credential (user_id, set, address, key, secret, passphrase, updated_at)
     select id, 'clob', address, 'key', 'v1.k.x', 'v1.k.x', now() from users where id = ?`,
    [id],
  )

/** Whom the exchange was asked about; `refuses` decides about each. */
let asked: string[] = []
let refuses = (_address: string): Error | null => null
const exchange = {
  setFeeAccount: async () => ({}),
  async setAccount({ params: { address }, body: { referrer } }: { params: { address: string }; body: { referrer: string } }) {
    asked.push(address)
    const refusal = refuses(address)
    if (refusal) throw refusal
    return { referrer }
  },
  listAffiliateShares: async () => ({ data: [], seq: 0, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }),
}
const operator = async () => ({ address: CREATOR, exchange }) as unknown as Operator
const run = (access: () => Promise<Operator> = operator) => runJob(platform, workerScheduler('test'), affiliatesJob(access))
const statuses = async () =>
  (await rows<{ status: string }>('select status from referral join users on users.id = user_id order by address')).map(
    ({ status }) => status,
  )

beforeEach(async () => {
  asked = []
  refuses = () => null
  await rows('delete from sync_failure; delete from referral')
  for (const id of joined) await rows('insert into referral (user_id, referrer_id, created_at) values (?, ?, now())', [id, referrer])
})

test('a manager registers all referrals', async () => {
  expect(await run()).toMatchObject({ success: true, referrals: 4, errors: 0 })
  expect(await statuses()).toEqual(['counted', 'counted', 'counted', 'counted'])
})

test('who is no manager registers those with a key, and asks about one without', async () => {
  const keyed = [addressOf(2), addressOf(3)]
  refuses = (address) => (keyed.includes(address) ? null : notAllowed())
  expect(await run()).toMatchObject({ success: true, referrals: 2, errors: 0 })
  expect(await statuses()).toEqual(['counted', 'counted', 'pending', 'pending'])
  expect(asked.toSorted()).toEqual([...keyed, expect.stringMatching(/^0x[45]+$/)])
})

test('where the wallet is no operator, nothing is asked for and nothing fails', async () => {
  expect(await run(() => Promise.reject(notAllowed()))).toMatchObject({ success: true, errors: 0 })
  expect(asked).toEqual([])
})

test('an exchange that does not answer is not asked about everybody', async () => {
  refuses = () => new NoAnswerError('away')
  expect(await run()).toMatchObject({ success: false })
  expect(asked).toHaveLength(1)
})
