import type { Platform } from '../site/platform.ts'

/** Prices of a window of a series: the opening price to beat, null before it is settled, and the newest known one, settled or not. */
export interface EventPrice {
  toBeat: number | null
  now: number | null
}

interface Row {
  slug: string
  opening_price: string | null
  newest_price: string | null
}

/** The prices of those events that are windows of a price series, by their slugs. */
export async function eventPrices(platform: Platform, slugs: readonly string[]): Promise<Map<string, EventPrice>> {
  if (slugs.length === 0) return new Map()
  const rows: Row[] = await platform.em().execute(PRICES, [JSON.stringify(slugs)])
  const read = (price: string | null) => (price === null ? null : Number(price))
  return new Map(rows.map(({ slug, opening_price, newest_price }) => [slug, { toBeat: read(opening_price), now: read(newest_price) }]))
}

/** The opening of a day comes from the five-minute marks. */
const PRICES = `
  select event.slug,
    (select price from price_mark
      where (source, instrument) = (series.source, series.instrument) and window_end = event.start_date
        and interval = case series.interval when '1d' then '5m' else series.interval end) as opening_price,
    coalesce(live_price, (select price from price_mark
      where (source, instrument, interval) = (series.source, series.instrument, series.interval)
      order by window_end desc limit 1)) as newest_price
  from event
  join price_series series on series.slug = event.series_slug and series.enabled
  left join price_feed feed
    on (feed.source, feed.instrument, feed.interval) = (series.source, series.instrument, series.interval)
  where event.slug in (select value from jsonb_array_elements_text(?::jsonb))`
