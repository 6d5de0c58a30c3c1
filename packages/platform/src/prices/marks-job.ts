import type { EntityManager } from '@mikro-orm/postgresql'
import { OutboundError } from '../outbound/fetch-outside.ts'
import type { Platform } from '../platform.ts'
import type { Job, Run } from '../sync/run-job.ts'
import type { Mark } from './choose-prices.ts'
import { alignDown, type Interval, lengthOf, type Source } from './intervals.ts'
import { type LivePrice, type Oracle, OracleError } from './oracle.ts'
import type { Oracles } from './oracles.ts'

/** Windows back from now that are filled when they are missing. */
export const HORIZON = 400
/** Windows before the newest that are asked for again: a source may have corrected them. */
const OVERLAP = 3
/** Milliseconds between two looks at corrections and gaps. */
const GAPS_MS = 60_000

/** One instrument in windows of one length, as one source sees it. */
interface Feed {
  source: Source
  instrument: string
  interval: Interval
  symbol: string
  newest: string | null
  gaps_asked_at: string | null
}

/** Asks the oracles for what was settled since, for gaps and corrections, and for the windows under way. A source that fails costs no other. */
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
    // The run ends when all of them have: nothing goes on writing behind it.
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
    const marks: Mark[] = []
    for (const span of spans) if (span) marks.push(...checked(await oracle.settled(symbol, interval, ...span), interval, span))
    const live = await oracle.live(symbol, interval, now.getTime())
    await run.step(
      null,
      async (em) => {
        const { added, corrected } = await writeMarks(em, feed, marks, now)
        await em.execute(STANDING, [
          ...[source, instrument, interval, oracle.name, oracle.simulated, now, null, '', lookBack ? now : feed.gaps_asked_at],
          ...liveColumns(live),
        ])
        run.count('added', added)
        run.count('corrected', corrected)
      },
      [item],
    )
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof OracleError)) throw error
    run.fail(item, error)
    await run.step(null, async (em) => {
      await em.execute(FAILED, [source, instrument, interval, oracle.name, oracle.simulated, now, error.message.slice(0, 500)])
    })
  }
}

type Span = [after: number, until: number]

/** What may be new, or corrected lately. Null when nothing is due. */
function newest({ newest, interval }: Feed, now: number, most: number, lookBack: boolean): Span | null {
  const length = lengthOf(interval)
  const until = alignDown(now, interval)
  const first = until - Math.min(HORIZON, most) * length
  const known = newest === null ? first : new Date(newest).getTime()
  if (known >= until && !lookBack) return null
  return [Math.max(first, Math.min(known, until) - OVERLAP * length), until]
}

/** A stretch with missing windows, as long as one question may be; the next one at the next look. Null when nothing is missing. */
async function gap(platform: Platform, { source, instrument, interval }: Feed, now: number, most: number): Promise<Span | null> {
  const length = lengthOf(interval)
  const until = alignDown(now, interval)
  const from = until - HORIZON * length
  const missing: { window_end: string }[] = await platform
    .em()
    .execute(MISSING, [new Date(from + length), new Date(until), length, source, instrument, interval])
  const spans: Span[] = []
  for (const { window_end } of missing) {
    const end = new Date(window_end).getTime()
    if (end > (spans.at(-1)?.[1] ?? 0)) spans.push([end - length, Math.min(end - length + most * length, until)])
  }
  return spans[Math.floor(now / GAPS_MS) % spans.length] ?? null
}

/** What a source says is believed about whole windows inside of what was asked, and never about a time after their end. */
function checked(marks: readonly Mark[], interval: Interval, [after, until]: Span): readonly Mark[] {
  for (const { windowEnd, price, sourceTimestamp } of marks) {
    if (windowEnd <= after || windowEnd > until || alignDown(windowEnd, interval) !== windowEnd)
      throw new OracleError(`a window that was not asked for: ${windowEnd}`)
    if (!(price > 0 && price < 1e12)) throw new OracleError(`not a price: ${price}`)
    if (sourceTimestamp > windowEnd) throw new OracleError(`a price from after its window: ${sourceTimestamp}`)
  }
  return marks
}

/** Writes marks; one that says something else than before is a correction and is noted as such. */
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

const liveColumns = (live: LivePrice | null) =>
  live === null
    ? [null, null, null, null, null]
    : [new Date(live.start), new Date(live.end), live.openingPrice, live.price, new Date(live.timestamp)]

/**
 * Days are opened by five-minute marks, so that these are needed as well. A series that was switched off is asked for until the windows
 * that it opened have their prices.
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

const MISSING = `
  select window_end from generate_series(?::timestamptz, ?::timestamptz, ? * interval '1 millisecond') as window_end
  where not exists (
    select from price_mark mark where mark.source = ? and mark.instrument = ? and mark.interval = ? and mark.window_end = window_end.window_end
  )`

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

const STANDING = `
  insert into price_feed (source, instrument, interval, name, simulated, checked_at, failed_at, failure, gaps_asked_at,
    live_start, live_end, live_opening_price, live_price, live_timestamp)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (source, instrument, interval) do update set name = excluded.name, simulated = excluded.simulated,
    checked_at = excluded.checked_at, failed_at = excluded.failed_at, failure = excluded.failure, gaps_asked_at = excluded.gaps_asked_at,
    live_start = excluded.live_start, live_end = excluded.live_end, live_opening_price = excluded.live_opening_price,
    live_price = excluded.live_price, live_timestamp = excluded.live_timestamp`

const FAILED = `
  insert into price_feed (source, instrument, interval, name, simulated, failed_at, failure)
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict (source, instrument, interval) do update set name = excluded.name, simulated = excluded.simulated,
    failed_at = excluded.failed_at, failure = excluded.failure`
