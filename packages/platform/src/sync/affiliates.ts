import { NoAnswerError } from '@augury/client/answer'
import type { AffiliateShare } from '@augury/wire/affiliate-share'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Operator } from '../exchange/operator-client.ts'
import type { Job, Run } from '../jobs/run-job.ts'
import { repeatFeeRecipient } from '../settings/fee-recipient.ts'
import type { Platform } from '../site/platform.ts'
import { announce, pendingReferrals } from '../trading/announce.ts'
import { ifManaging } from '../trading/if-managing.ts'
import { readLog } from './log-pages.ts'

/** Referrals per step. */
const BATCH = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Registers fee recipients and new referrals at the exchange, and takes in what it paid to referrers. Does nothing where the exchange does
 * not list the deployment's wallet as an operator.
 */
export const affiliatesJob = (operator: () => Promise<Operator>): Job => ({
  name: 'affiliates',
  everySeconds: 60,
  async work(platform, run) {
    const access = await ifManaging(operator)
    if (!access) return
    const { exchange } = access
    await repeatFeeRecipient(platform, exchange)
    await announceAll(platform, run, exchange, 'with a key')
    await announceAll(platform, run, exchange, 'without a key')
    await readLog(platform, run, { job: 'affiliates', counter: 'shares' }, (query) => exchange.listAffiliateShares({ query }), store)
  },
})

/**
 * Registers the referrals of members who have a key through this deployment, or of those who have none yet: the latter only managers may,
 * so the first refusal is the answer for all of them.
 */
async function announceAll(
  platform: Platform,
  run: Run,
  exchange: Operator['exchange'],
  which: 'with a key' | 'without a key',
): Promise<void> {
  for (let after = FIRST; run.hasTime(); ) {
    const pending = await pendingReferrals(platform, { hasKey: which === 'with a key', after, most: BATCH })
    const asked: string[] = []
    let refused = false
    for (const row of pending) {
      if (run.waits(row.user_id)) continue
      asked.push(row.user_id)
      const announced = await announce(platform, exchange, row).catch((error) => {
        if (error instanceof NoAnswerError) throw error
        run.fail(row.user_id, error)
      })
      if (announced) run.count('referrals', 1)
      refused = announced === false && which === 'without a key'
      if (refused || !run.hasTime()) break
    }
    if (asked.length > 0) await run.step(run.cursor, async () => {}, asked)
    if (refused || pending.length < BATCH) return
    after = pending.at(-1)!.user_id
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
