import { type PlatformTables, tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Insertable } from 'kysely'
import type { Job, Run } from '../jobs/run-job.ts'
import { OutboundError } from '../outbound/fetch-outside.ts'
import type { Platform } from '../site/platform.ts'
import type { Mark } from './choose-prices.ts'
import { alignDown, type Interval, lengthOf, type Source } from './intervals.ts'
import { type LivePrice, type Oracle, OracleError } from './oracle.ts'
import type { Oracles } from './oracles.ts'

/** Number of past windows that are filled when missing. */
export const HORIZON = 400
/** Number of newest windows that are fetched again, because a source may have corrected them. */
const OVERLAP = 3
/** Milliseconds between two checks for corrections and gaps. */
const GAPS_MS = 60_000

/** One instrument of one source, in windows of one length. */
interface Feed {
  source: Source
  instrument: string
  interval: Interval
  symbol: string
  newest: string | null
  gaps_asked_at: string | null
}

/** Fetches from the oracles newly settled prices, gaps, corrections and current windows. A failing source does not affect the others. */
export const marksJob = (oracles: Oracles): Job => ({
  name: 'marks',
  everySeconds: 10,
  async work(platform, run) {
    const feeds: Feed[] = await platform.em().execute(FEEDS, [platform.now()])
    const sources = [...Map.groupBy(feeds, ({ source }) => source)]
    const ends = await Promise.allSettled(
      sources.map(async ([source, ofSource]) => {
        const oracle = oracles[source]
        for (const feed of ofSource) if (oracle && run.hasTime()) await refresh(platform, run, oracle, feed)
      }),
    )
    // Waits for all of them, so that nothing writes after the run has ended.
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  },
})

async function refresh(platform: Platform, run: Run, oracle: Oracle, feed: Feed): Promise<void> {
  const now = platform.now()
  const { source, instrument, interval, symbol } = feed
  const item = `${source} ${instrument} ${interval}`
  try {
    const lookBack = feed.gaps_asked_at === null || now.getTime() - new Date(feed.gaps_asked_at).getTime() >= GAPS_MS
    const spans = [
      newest(feed, now.getTime(), oracle.most, lookBack),
      lookBack ? await gap(platform, feed, now.getTime(), oracle.most) : null,
    ]
    const said: Mark[] = []
    for (const span of spans) if (span) said.push(...checked(await oracle.settled(symbol, interval, ...span), interval, span))
    const marks = said.filter(({ price }) => isPrice(price))
    const underWay = await oracle.live(symbol, interval, now.getTime())
    const live = underWay && isPrice(underWay.openingPrice) && isPrice(underWay.price) && isTime(underWay.timestamp) ? underWay : null
    const absurd = absurdity(said, underWay, live)
    if (absurd !== '') run.fail(item, new OracleError(absurd))
    await run.step(
      null,
      async (em) => {
        const { added, corrected } = await writeMarks(em, feed, marks, now)
        const standing = {
          name: oracle.name,
          simulated: oracle.simulated,
          checked_at: now,
          failed_at: absurd === '' ? null : now,
          failure: absurd,
          gaps_asked_at: lookBack ? now : feed.gaps_asked_at,
          ...liveColumns(live),
        }
        await storeFeed(em, feed, standing)
        run.count('added', added)
        run.count('corrected', corrected)
      },
      [item],
    )
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof OracleError)) throw error
    run.fail(item, error)
    await run.step(null, async (em) => {
      const failed = { name: oracle.name, simulated: oracle.simulated, failed_at: now, failure: error.message.slice(0, 500) }
      await storeFeed(em, feed, failed)
    })
  }
}

type Span = [after: number, until: number]

/** The range of prices that may be new or recently corrected; null when none is due. */
function newest({ newest, interval }: Feed, now: number, most: number, lookBack: boolean): Span | null {
  const length = lengthOf(interval)
  const until = alignDown(now, interval)
  const first = until - Math.min(HORIZON, most) * length
  const known = newest === null ? first : new Date(newest).getTime()
  if (known >= until && !lookBack) return null
  return [Math.max(first, Math.min(known, until) - OVERLAP * length), until]
}

/** A range with missing windows, as long as one request may be; the next one follows at the next check. Null when none is missing. */
async function gap(platform: Platform, { source, instrument, interval }: Feed, now: number, most: number): Promise<Span | null> {
  const length = lengthOf(interval)
  const until = alignDown(now, interval)
  const from = until - HORIZON * length
  const missing: { window_end: string }[] = await platform
    .em()
    .execute(MISSING, [
      new Date(from + length),
      new Date(until),
      length,
      interval,
      source,
      instrument,
      interval,
      new Date(until),
      source,
      instrument,
      interval,
    ])
  const spans: Span[] = []
  for (const { window_end } of missing) {
    const end = new Date(window_end).getTime()
    if (end > (spans.at(-1)?.[1] ?? 0)) spans.push([end - length, Math.min(end - length + most * length, until)])
  }
  return spans[Math.floor(now / GAPS_MS) % spans.length] ?? null
}

/** Accepts marks of whole windows within the requested range only, and none seen after the window's end. */
function checked(marks: readonly Mark[], interval: Interval, [after, until]: Span): readonly Mark[] {
  for (const { windowEnd, sourceTimestamp } of marks) {
    if (windowEnd <= after || windowEnd > until || alignDown(windowEnd, interval) !== windowEnd)
      throw new OracleError(`a window that was not asked for: ${windowEnd}`)
    if (sourceTimestamp > windowEnd) throw new OracleError(`a price from after its window: ${sourceTimestamp}`)
  }
  return marks
}

/** Drops unusable prices, as if the source lacked those windows, so that the others are not lost. */
const isPrice = (price: number): boolean => price >= 1e-12 && price < 1e11
const isTime = (timestamp: number): boolean => Math.abs(timestamp) < 1e14

/** Describes the unusable prices of a source; empty when there are none. */
function absurdity(said: readonly Mark[], underWay: LivePrice | null, live: LivePrice | null): string {
  const mark = said.find(({ price }) => !isPrice(price))
  if (mark) return `not a price at ${new Date(mark.windowEnd).toISOString()}: ${mark.price}`
  if (underWay && !live) return `not a price now: ${underWay.openingPrice}, ${underWay.price}`
  return ''
}

/** Writes marks. A changed price is recorded as a correction. */
export async function writeMarks(
  em: EntityManager,
  { source, instrument, interval }: Pick<Feed, 'source' | 'instrument' | 'interval'>,
  marks: readonly Mark[],
  at: Date,
): Promise<{ added: number; corrected: number }> {
  const length = lengthOf(interval)
  const unique = [...new Map(marks.map((mark) => [mark.windowEnd, mark])).values()].map(({ windowEnd, price, sourceTimestamp }) => ({
    window_start: new Date(windowEnd - length),
    window_end: new Date(windowEnd),
    price,
    source_timestamp: new Date(sourceTimestamp),
  }))
  if (unique.length === 0) return { added: 0, corrected: 0 }
  const key = [source, instrument, interval]
  const [row]: [{ added: number; corrected: number }] = await em.execute(WRITE, [JSON.stringify(unique), ...key, at, ...key, ...key, at])
  return row
}

const liveColumns = (live: LivePrice | null) => ({
  live_start: live && new Date(live.start),
  live_end: live && new Date(live.end),
  live_opening_price: live?.openingPrice ?? null,
  live_price: live?.price ?? null,
  live_timestamp: live && new Date(live.timestamp),
})

type Standing = Omit<Insertable<PlatformTables['price_feed']>, keyof Pick<Feed, 'source' | 'instrument' | 'interval'>>

const storeFeed = (em: EntityManager, { source, instrument, interval }: Feed, standing: Standing) =>
  tables(em)
    .insertInto('price_feed')
    .values({ source, instrument, interval, ...standing })
    .onConflict((conflict) => conflict.columns(['source', 'instrument', 'interval']).doUpdateSet(standing))
    .execute()

/**
 * The feeds that are needed. The opening of days also needs five-minute marks. A series that was switched off is still fetched until the
 * windows it opened have their prices.
 */
const FEEDS = `
  with wanted as (
    select distinct on (sources.source, instrument, intervals.interval) sources.source, instrument, intervals.interval, symbol
    from price_series
    cross join lateral (values ('oracle_a', symbol_a), ('oracle_b', symbol_b)) as sources (source, symbol)
    cross join lateral (select price_series.interval union select '5m' where price_series.interval = '1d') as intervals (interval)
    where symbol <> '' and (enabled or exists (
      select from event
      where series_slug = price_series.slug and status in ('active', 'archived') and start_date > ?::timestamptz - interval '3 days'
    ))
    order by sources.source, instrument, intervals.interval, slug
  )
  select wanted.*, gaps_asked_at, (
    select max(window_end) from price_mark mark
    where (mark.source, mark.instrument, mark.interval) = (wanted.source, wanted.instrument, wanted.interval)
  ) as newest
  from wanted left join price_feed using (source, instrument, interval)`

/**
 * SQL of the windows to fill: those within the horizon, and those that wait for their prices, however long the worker was away. Markets and marks
 * are looked up one by one: the planner, which takes every event of a series for one that waits, would read all there are.
 */
export const MISSING = `
  select window_end from (
    select window_end from generate_series(?::timestamptz, ?::timestamptz, ? * interval '1 millisecond') as window_end
    union
    select ends.at from price_series series
    join event on series_slug = series.slug and status in ('active', 'archived')
    cross join lateral (
      select end_time from market where event_id = event.id and registered_at is not null and not is_resolved and not resolution_flagged offset 0
    ) market
    cross join lateral (values (event.start_date), (case series.interval when ? then end_time end)) as ends (at)
    where series.source = ? and series.instrument = ? and ? in (series.interval, case series.interval when '1d' then '5m' end) and ends.at <= ?
  ) wanted
  where (
    select window_end from price_mark mark
    where mark.source = ? and mark.instrument = ? and mark.interval = ? and mark.window_end = wanted.window_end
  ) is null
  order by window_end`

const WRITE = `
  with seen as (
    select * from jsonb_to_recordset(?::jsonb)
      as seen (window_start timestamptz, window_end timestamptz, price numeric(24, 12), source_timestamp timestamptz)
  ), corrected as (
    insert into price_mark_correction (source, instrument, interval, window_end, old_price, new_price, noticed_at)
    select ?, ?, ?, window_end, mark.price, seen.price, ?
    from seen join price_mark mark using (window_end)
    where mark.source = ? and mark.instrument = ? and mark.interval = ? and mark.price <> seen.price
    returning id
  ), written as (
    insert into price_mark (source, instrument, interval, window_start, window_end, price, source_timestamp, received_at)
    select ?, ?, ?, window_start, window_end, price, source_timestamp, ? from seen
    on conflict (source, instrument, interval, window_end) do update set
      price = excluded.price, source_timestamp = excluded.source_timestamp, received_at = excluded.received_at
    where price_mark.price <> excluded.price
    returning window_end
  )
  select (select count(*) from written)::int - (select count(*) from corrected)::int as added, (select count(*) from corrected)::int as corrected`
