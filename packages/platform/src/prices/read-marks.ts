import type { EntityManager } from '@mikro-orm/postgresql'
import { type Found, LOOK_UPS, lookUps, type Mark, type MarketWindow, type Series } from './choose-prices.ts'
import type { Source } from './intervals.ts'

interface Row {
  name: string
  window_end: string | null
  price: string | null
  source_timestamp: string | null
  live_start: string | null
  live_end: string | null
  live_opening_price: string | null
}

/** Answers all queries of a market in one statement, each by one index lookup. `source` overrides that of the series. */
export async function readMarks(
  em: EntityManager,
  series: Series,
  window: MarketWindow,
  now: number,
  source: Source = series.source,
): Promise<Found> {
  const wanted = Object.entries(lookUps(series, window, now))
  const rows: Row[] = await em.execute(READ, [
    JSON.stringify(wanted.map(([name, { interval, atOrBefore }]) => ({ name, interval, at_or_before: within(atOrBefore) }))),
    source,
    series.instrument,
    source,
    series.instrument,
    series.interval,
  ])
  const of = (name: string): Mark | null => {
    const row = rows.find((each) => each.name === name)
    if (!row || row.window_end === null) return null
    return { windowEnd: ms(row.window_end), price: Number(row.price), sourceTimestamp: ms(row.source_timestamp!) }
  }
  const [first] = rows
  const live =
    first?.live_start == null
      ? null
      : { start: ms(first.live_start), end: ms(first.live_end!), openingPrice: Number(first.live_opening_price) }
  const [openingPreferred, openingOwn, closing, latest] = LOOK_UPS.map(of)
  return { openingPreferred: openingPreferred!, openingOwn: openingOwn!, closing: closing!, latest: latest!, live }
}

const ms = (time: string) => new Date(time).getTime()

/** Bounds of times, within what the database can represent. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)]
const within = (time: number) => new Date(Math.min(Math.max(time, FIRST), LAST))

const READ = `
  select wanted.name, mark.window_end, mark.price, mark.source_timestamp, feed.live_start, feed.live_end, feed.live_opening_price
  from jsonb_to_recordset(?::jsonb) as wanted (name text, interval text, at_or_before timestamptz)
  left join lateral (
    select window_end, price, source_timestamp from price_mark
    where source = ? and instrument = ? and price_mark.interval = wanted.interval and window_end <= wanted.at_or_before
    order by window_end desc limit 1
  ) mark on true
  left join price_feed feed on feed.source = ? and feed.instrument = ? and feed.interval = ?`
