import { ONE } from '@augury/units/price'
import { invalidate } from '../cache/generations.ts'
import type { Platform } from '../site/platform.ts'
import { type EarlierHistory, storeEarlierPrices } from './earlier-prices.ts'
import { SAMPLED_MINUTES, type SampledMarket, samplePaths } from './sample-path.ts'

interface Row {
  event_id: string
  slug: string
  neg_risk: boolean
  condition_id: string
  grid: number
  price: string
  minute: string | null
}

/**
 * Gives every market of a sandbox ninety days of sample prices that end with its first price on the exchange, or, before there is one, the
 * price it is listed with. Markets with earlier prices keep theirs. Windows of price series have none, nor has what was listed without a
 * price. Only for sandboxes: a deployment shows what happened. Returns how many markets got a history.
 */
export async function sampleHistory(platform: Platform): Promise<number> {
  const em = platform.em()
  const rows: Row[] = await em.execute(LACKING)
  const now = Math.floor(platform.now().getTime() / 60_000)
  const events = Map.groupBy(rows, ({ event_id }) => event_id)
  const histories = [...events.values()].flatMap((markets) => historiesOf(markets, now))
  const sampled = await storeEarlierPrices(em, histories)
  if (sampled > 0) await invalidate(em, ['lists'])
  return sampled
}

function historiesOf(rows: readonly Row[], now: number): EarlierHistory[] {
  const { slug, neg_risk } = rows[0]!
  const markets = rows.map(({ condition_id: id, price, grid }): SampledMarket => ({ id, price: Math.round(Number(price)), grid }))
  return samplePaths(slug, markets, neg_risk).map((path, i) => {
    const { minute, condition_id: condition } = rows[i]!
    const end = minute === null ? now : Number(minute) - 1
    const prices = path.map((price, n) => ({ minute: end - SAMPLED_MINUTES[n]!, price })).reverse()
    return { condition, source: 'sample', prices }
  })
}

const LACKING = `
  select event_id, event.slug, event.neg_risk, condition_id, grid, coalesce(first.price, listing_price) as price,
    extract(epoch from first.minute) / 60 as minute
  from market join event on event.id = event_id
  left join lateral (
    select price, minute from price_point where market_condition_id = condition_id order by minute limit 1
  ) first on true
  where event.series_slug is null and not is_resolved and coalesce(first.price, listing_price) between 1 and ${ONE - 1}
    and not exists (select from earlier_prices where market_condition_id = condition_id)
  order by event_id, market.position`
