import { ONE } from '@augury/units/price'
import type { PricePoint } from '@augury/wire/price-history'
import type { Platform } from '../platform.ts'
import { survey, Unusable } from './market-batches.ts'
import { type NotedPrice, notePrices } from './price-history.ts'
import type { Ask, Job } from './run-job.ts'

/** Tokens in one question to the exchange. */
const BATCH = 20
/** How far back minutes are filled, at most and where no run went before, in milliseconds. */
const FURTHEST = 7 * 86_400_000
const FIRST = 86_400_000
const MINUTE = 60_000

/**
 * Fills the history of prices minute by minute, from what the exchange displayed since the last round: between two looks of the job
 * `prices`, and while no worker was there. Markets that did not change meanwhile have nothing to fill.
 */
export const chartsJob = (exchange: Ask<'getPriceHistories'>): Job => ({
  name: 'charts',
  async work(platform, run) {
    const { getPriceHistories } = await exchange()
    const since = await lastRound(platform)
    await survey<NotedPrice[]>(platform, run, {
      batch: BATCH,
      only: `and market.updated_at >= '${since.toISOString()}'`,
      async ask(markets) {
        const tokens = markets.map(({ yesToken }) => yesToken)
        const body = { markets: tokens, startTs: String(Math.floor(since.getTime() / 1000)), fidelity: 1 }
        const { history } = await getPriceHistories({ body })
        return ({ conditionId, yesToken }) => {
          const points = history[yesToken]
          if (!points) throw new Unusable('missing in the answer')
          return points.map((point) => toPrice(conditionId, point))
        }
      },
      async write(em, histories) {
        await notePrices(em, histories.flat())
        return histories.length
      },
    })
  },
})

/** When the last whole round began, a minute earlier: what changed since is asked for. */
async function lastRound(platform: Platform): Promise<Date> {
  const [last]: { began: string | null }[] = await platform
    .em()
    .execute(`select max(started_at) as began from sync_run where job_name = 'charts' and state = 'finished' and not time_limit_reached`)
  const now = platform.now().getTime()
  const began = last?.began ? new Date(last.began).getTime() - MINUTE : now - FIRST
  return new Date(Math.max(began, now - FURTHEST))
}

/** A point says what held at the end of its minute. */
function toPrice(condition_id: string, { t, p }: PricePoint): NotedPrice {
  const price = Math.round(p * 2 * ONE) / 2
  if (!(price >= 0 && price <= ONE)) throw new Unusable(`a price of ${p}`)
  return { condition_id, at: new Date(Math.floor((t * 1000 - 1) / MINUTE) * MINUTE), price }
}
