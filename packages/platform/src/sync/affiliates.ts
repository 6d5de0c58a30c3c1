import type { AffiliateShare } from '@augury/wire/affiliate-share'
import type { EntityManager } from '@mikro-orm/postgresql'
import { announce, pendingReferrals } from '../affiliates/announce.ts'
import type { Operator } from '../operator-client.ts'
import type { Platform } from '../platform.ts'
import { repeatFeeRecipient } from '../settings/fee-recipient.ts'
import { readLog } from './log-pages.ts'
import type { Job, Run } from './run-job.ts'

/** Referrals per step. */
const BATCH = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Registers fee recipients and new referrals at the exchange, and takes in what it paid to referrers. */
export const affiliatesJob = (operator: () => Promise<Operator>): Job => ({
  name: 'affiliates',
  everySeconds: 60,
  async work(platform, run) {
    const { exchange } = await operator()
    await repeatFeeRecipient(platform, exchange)
    await announceAll(platform, run, exchange)
    await readLog(platform, run, { job: 'affiliates', counter: 'shares' }, (query) => exchange.listAffiliateShares({ query }), store)
  },
})

async function announceAll(platform: Platform, run: Run, exchange: Operator['exchange']): Promise<void> {
  for (let after = FIRST; run.hasTime(); ) {
    const rows = await pendingReferrals(platform, after, BATCH)
    for (const row of rows) {
      await announce(platform, exchange, row).then(
        (announced) => announced && run.count('referrals', 1),
        (error) => run.fail(row.user_id, error),
      )
    }
    const ids = rows.map(({ user_id }) => user_id)
    if (ids.length > 0) await run.step(run.cursor, async () => {}, ids)
    if (ids.length < BATCH) return
    after = ids.at(-1)!
  }
}

async function store(em: EntityManager, shares: readonly AffiliateShare[]): Promise<void> {
  const rows = shares.map(({ taker_address, referrer, timestamp_iso, market, ...share }) => ({
    ...share,
    at: timestamp_iso,
    condition_id: market,
    taker: taker_address.toLowerCase(),
    referrer: referrer.toLowerCase(),
  }))
  await em.execute(
    `insert into affiliate_share (seq, at, condition_id, taker, referrer, volume, fee, amount)
     select seq, at, condition_id, taker, referrer, volume, fee, amount from jsonb_to_recordset(?::jsonb)
       as share (seq bigint, at timestamptz, condition_id text, taker text, referrer text, volume bigint, fee bigint, amount bigint)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
}
