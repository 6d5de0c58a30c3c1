import { ONE } from '@augury/units/price'
import type { ChanceLine } from '@augury/wire/platform/event'
import { ServiceError } from '@augury/wire/service-error'
import { earlierOf } from '../prices/earlier-prices.ts'
import { ROLLED } from '../prices/price-history.ts'
import type { Platform } from '../site/platform.ts'
import { PRICED } from './priced.ts'

/** Lines of a chart where none are asked for, and most points in a line. */
const LINES = 4
const POINTS = 240

const MINUTE_MS = 60_000
const RANGES_MS = { '1h': 3_600_000, '6h': 21_600_000, '1d': 86_400_000, '1w': 604_800_000, '1m': 2_592_000_000, all: null } as const

/** The time range of a chart. */
export type ChartRange = keyof typeof RANGES_MS

interface Row {
  condition_id: string
  t: string
  price: string
  source: 'sample' | 'imported' | null
  until: string | null
}

/** Which lines: those of the leading markets, open ones before those that are decided, or of the given conditions. */
interface Asked {
  slug: string
  range: ChartRange
  of?: readonly string[]
}

/**
 * Displayed prices of an event's markets over time, thinned to a few hundred points, the last of each step. A line starts with the price
 * that held when the range began, and with earlier prices where the market has any. The ranges of a resolved event end with its resolution.
 * Throws `event_not_found`.
 */
export function chanceLines(platform: Platform, asked: Asked): Promise<ChanceLine[]> {
  const { slug, range, of } = asked
  return platform.lists.read(`chances ${JSON.stringify([slug, range, of])}`, ['lists'], () => readLines(platform, asked))
}

async function readLines(platform: Platform, { slug, range, of }: Asked): Promise<ChanceLine[]> {
  const em = platform.em()
  const [event]: { id: string; first: string | null; resolved: string | null }[] = await em.execute(FIRST_POINT, [slug])
  if (!event) throw new ServiceError('event_not_found')
  const end = Number(event.resolved ?? platform.now())
  const age = Math.max(0, end - Number(event.first ?? end))
  const span = Math.min(RANGES_MS[range] ?? age, age)
  const minutes = Math.max(1, Math.ceil(span / POINTS / MINUTE_MS))
  const rolled = ROLLED.findLast((length) => length <= minutes) ?? 1
  const start = new Date(end - span)
  const chosen = of ? `{${of.join()}}` : null
  const rows: Row[] = await em.execute(linesOf(rolled), [
    start,
    event.id,
    chosen,
    chosen,
    of?.length ?? LINES,
    `${minutes} minutes`,
    new Date(end),
  ])
  const lines = new Map<string, ChanceLine>()
  for (const { condition_id, t, price, source, until } of rows) {
    const earlier = source === null || Number(until) < start.getTime() ? null : { source, until: Number(until) }
    const line = lines.get(condition_id) ?? { condition_id, history: [], earlier }
    lines.set(condition_id, line)
    line.history.push({ t: Math.max(Number(t), start.getTime()), p: Number(price) / ONE })
  }
  return [...lines.values()]
}

const FIRST_POINT = `
  select event.id, extract(epoch from resolved_at) * 1000 as resolved, (
    select extract(epoch from min(least(first.minute, to_timestamp(60.0 * minutes[1])))) * 1000
    from market
    left join lateral (select minute from price_point where market_condition_id = condition_id order by minute limit 1) first on true
    left join earlier_prices on market_condition_id = condition_id
    where event_id = event.id
  ) as first
  from event where slug = ? and status <> 'draft'`

const HAS_POINT = `(
  exists (select from price_point where market_condition_id = condition_id)
  or exists (select from earlier_prices where market_condition_id = condition_id)
)`

/** Points of a market since the start: single minutes, or rollups that had not ended then, with the price at their end. */
const pointsOf = (rolled: number) =>
  rolled === 1
    ? 'select minute as at, price from price_point where market_condition_id = condition_id and minute >= start'
    : `select start + interval '${rolled} minutes' as at, price from price_rollup
       where market_condition_id = condition_id and minutes = ${rolled} and start > asked.start - interval '${rolled} minutes'`

const linesOf = (rolled: number) => `
  with asked as (select ?::timestamptz as start),
  leaders as (
    select condition_id, row_number() over (order by is_resolved, price desc, listing_price desc, position) as rank
    from market
    where event_id = ? and (?::text[] is null or condition_id = any(?::text[])) and ${PRICED} and ${HAS_POINT}
    order by rank limit ?
  ),
  before as (
    select condition_id, rank, opening.at, opening.price
    from asked cross join leaders cross join lateral (
      select at, price from (
        (select minute as at, price from price_point where market_condition_id = condition_id and minute < start order by minute desc limit 1)
        union all
        (select at, price from ${earlierOf('condition_id')} earlier where at < start order by at desc limit 1)
      ) either order by at desc limit 1
    ) opening
  ),
  thinned as (
    select distinct on (condition_id, stretch) condition_id, rank, at, price
    from asked cross join leaders
    cross join lateral (
      ${pointsOf(rolled)}
      union all
      select at, price from ${earlierOf('condition_id')} earlier where at >= asked.start
    ) point
    cross join lateral (select date_bin(?::interval, at, '2000-01-01Z') as stretch) bin
    order by condition_id, stretch, at desc
  )
  select condition_id, (extract(epoch from least(at, ?::timestamptz)) * 1000)::bigint as t, price, source,
    minutes[cardinality(minutes)] * 60000::bigint as until
  from (select * from before union all select * from thinned) points
  left join earlier_prices on market_condition_id = condition_id
  order by rank, points.at`
