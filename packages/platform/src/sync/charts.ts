import { tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import type { PricePoint } from '@augury/wire/price-history'
import { lockMarkets } from '../events/lock-markets.ts'
import { type SyncedMarket, survey, Unusable } from '../jobs/market-batches.ts'
import type { Ask, Job } from '../jobs/run-job.ts'
import { type NotedPrice, notePrices } from '../prices/price-history.ts'
import type { Platform } from '../site/platform.ts'

/** Tokens in one request to the exchange, and minutes of prices per step: short ranges of many markets. */
const TOKENS = 20
const MINUTES = 10_000
const MOST_MARKETS = 500
/** How far back minutes are filled, at most and where there was no run before, in milliseconds. */
const FURTHEST = 7 * 86_400_000
const FIRST = 86_400_000
const MINUTE = 60_000

/**
 * Fills the price history minute by minute with what the exchange displayed since the last round: between two looks of the job `prices`,
 * and while no worker was running, also of markets that were resolved since. Those that were not seen to change have nothing to fill. The
 * current minute is left to the next round: the exchange ends a history that reaches the present with the price displayed now, even where
 * there was no trade.
 */
export const chartsJob = (exchange: Ask<'getPriceHistories'>): Job => ({
  name: 'charts',
  async work(platform, run) {
    const { getPriceHistories } = await exchange()
    const since = await lastRound(platform)
    const until = Math.floor(platform.now().getTime() / MINUTE) * MINUTE
    if (since.getTime() >= until) return
    const from = await lastLook(platform, since)
    const range = { startTs: String(from.getTime() / 1000), endTs: String(until / 1000), fidelity: 1 }
    const minutes = (until - from.getTime()) / MINUTE
    const questions = Math.floor(Math.min(MOST_MARKETS, MINUTES / minutes) / TOKENS)
    await survey<NotedPrice[]>(platform, run, {
      batch: TOKENS * Math.max(1, questions),
      only: `market.updated_at >= '${since.toISOString()}'`,
      async ask(markets) {
        const history = new Map<string, readonly PricePoint[]>()
        for (let n = 0; n < markets.length; n += TOKENS) {
          const tokens = markets.slice(n, n + TOKENS).map(({ yesToken }) => yesToken)
          const answer = await getPriceHistories({ body: { markets: tokens, ...range } })
          for (const [token, points] of Object.entries(answer.history)) history.set(token, points)
        }
        return ({ conditionId, yesToken }: SyncedMarket) => {
          const points = history.get(yesToken)
          if (!points) throw new Unusable('missing in the answer')
          return points.map((point) => toPrice(conditionId, point))
        }
      },
      async write(em, histories) {
        const prices = histories.flat()
        // Locks like the writer of the latest prices: of two roll-ups of the same hour, the second has to see the points of the first.
        await lockMarkets(em, [...new Set(prices.map(({ condition_id }) => condition_id))])
        await notePrices(em, prices)
        return histories.length
      },
    })
  },
})

/**
 * When the last complete round began, less a minute, in whole minutes: changes since then are requested. A time in the future was written
 * by a clock that was ahead, and is ignored.
 */
async function lastRound(platform: Platform): Promise<Date> {
  const now = platform.now().getTime()
  const last = await lastWhole(platform, 'charts', new Date(now))
  const began = last ? last.getTime() - MINUTE : now - FIRST
  return new Date(Math.floor(Math.max(began, now - FURTHEST) / MINUTE) * MINUTE)
}
/** When the last run of a job began that went through everything, as of a time. */
async function lastWhole(platform: Platform, job: string, until: Date): Promise<Date | null> {
  const { began } = await tables(platform.em())
    .selectFrom('sync_run')
    .select((eb) => eb.fn.max<Date | null>('started_at').as('began'))
    .where('job_name', '=', job)
    .where('state', '=', 'finished')
    .where('time_limit_reached', '=', false)
    .where('started_at', '<=', until)
    .executeTakeFirstOrThrow()
  return began
}

/**
 * Begin of the last complete look of the job `prices` before a time, in whole minutes; that time if there is none. What was seen to have changed
 * since then may have changed any time after that look: the history has to be read from there.
 */
async function lastLook(platform: Platform, time: Date): Promise<Date> {
  const last = await lastWhole(platform, 'prices', time)
  if (!last) return time
  const began = Math.max(last.getTime(), platform.now().getTime() - FURTHEST)
  return new Date(Math.floor(began / MINUTE) * MINUTE)
}

/** A point holds the price at the end of its minute. */
function toPrice(condition_id: string, { t, p }: PricePoint): NotedPrice {
  const price = Math.round(p * 2 * ONE) / 2
  if (!(price >= 0 && price <= ONE)) throw new Unusable(`a price of ${p}`)
  return { condition_id, at: new Date(Math.floor((t * 1000 - 1) / MINUTE) * MINUTE), price }
}
