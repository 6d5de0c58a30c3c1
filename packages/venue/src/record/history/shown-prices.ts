import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { displayedPrice } from '@augury/units/displayed-price'
import { ONE } from '@augury/units/price'
import type pg from 'pg'
import { lastTradeOf } from '../../base/books.ts'
import { toBytes } from '../../base/postgres.ts'
import type { AppliedRow } from '../log/applied-row.ts'

const MINUTE = 60_000

/** The displayed price of a condition from some time within a minute on. */
export interface ShownPrice {
  condition: Hex
  /** Engine milliseconds at which the minute begins. */
  minute: number
  /** Halves of a Yes step: a midpoint may lie between two. */
  halfSteps: number
}

/**
 * Displayed price of Yes in half steps; after the resolution, what it pays. Null while there is neither an order nor a trade: history keeps the
 * last one.
 */
function halfStepsOf(exchange: Exchange, id: Hex): number | null {
  const condition = exchange.condition(id)!
  if (condition.mode === 'resolved') return condition.weight! * 2
  const { bids, asks } = exchange.depth(id, 0, 1)
  const last = condition.lastTrade ? lastTradeOf(condition.lastTrade, 0).price : null
  const price = displayedPrice({ bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null, last })
  return price === null ? null : Math.round(price * 2)
}

/** Records displayed prices for history: the last one of each minute in which it changed. */
export class ShownPrices {
  readonly #exchange: Exchange
  readonly #touched = new Set<Hex>()
  readonly #last = new Map<Hex, number>()
  #minute = 0
  #gathered: ShownPrice[] = []

  /** `exchange` is the one that rows are applied to. */
  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** Call before a row is applied: at the first row of a new minute it notes the prices with which the last minute ended. */
  before(at: number): void {
    const minute = at - (at % MINUTE)
    if (minute !== this.#minute) this.#note()
    this.#minute = minute
  }

  /** Call after a row is applied. */
  after({ outcomes }: AppliedRow): void {
    for (const { events } of outcomes) {
      for (const event of events) {
        if (event.type === 'level' || event.type === 'fill' || event.type === 'condition') this.#touched.add(event.condition)
      }
    }
  }

  /** Returns what was noted, with the current prices of the unfinished minute. */
  take(): ShownPrice[] {
    this.#note()
    const gathered = this.#gathered
    this.#gathered = []
    return gathered
  }

  #note(): void {
    for (const condition of this.#touched) {
      const halfSteps = halfStepsOf(this.#exchange, condition)
      if (halfSteps === null || this.#last.get(condition) === halfSteps) continue
      this.#last.set(condition, halfSteps)
      this.#gathered.push({ condition, minute: this.#minute, halfSteps })
    }
    this.#touched.clear()
  }
}

/** Lengths in minutes of the rollups, besides the minutes themselves. */
const ROLLED = [5, 60, 1440]

const lastOf = <Row>(rows: readonly Row[], key: (row: Row) => string) => [...new Map(rows.map((row) => [key(row), row])).values()]

/**
 * Writes prices, oldest first, in the caller's transaction. The last price of a minute stays, and the last of each rollup that the minute
 * lies in.
 */
export async function writeShownPrices(client: pg.ClientBase, stream: string, prices: readonly ShownPrice[]): Promise<void> {
  const minutes = lastOf(prices, ({ condition, minute }) => `${condition}${minute}`)
  if (minutes.length === 0) return
  const columns = (rows: readonly Pick<ShownPrice, 'condition' | 'halfSteps'>[]) => [
    rows.map(({ condition }) => toBytes(condition)),
    rows.map(({ halfSteps }) => halfSteps),
  ]
  await client.query({
    name: 'shown prices',
    text: `
      insert into shown_price (stream, condition_id, half_steps, minute) select $1, * from unnest($2::bytea[], $3::int[], $4::int8[])
      on conflict (stream, condition_id, minute) do update set half_steps = excluded.half_steps`,
    values: [stream, ...columns(minutes), minutes.map(({ minute }) => minute)],
  })
  const stretches = lastOf(
    minutes.flatMap(({ condition, minute, halfSteps }) =>
      ROLLED.map((length) => ({ condition, halfSteps, length, start: minute - (minute % (length * MINUTE)) })),
    ),
    ({ condition, length, start }) => `${condition}${length} ${start}`,
  )
  await client.query({
    name: 'shown rollups',
    text: `
      insert into shown_rollup (stream, condition_id, half_steps, minutes, start)
      select $1, * from unnest($2::bytea[], $3::int[], $4::int2[], $5::int8[])
      on conflict (stream, condition_id, minutes, start) do update set half_steps = excluded.half_steps
      where shown_rollup.half_steps <> excluded.half_steps`,
    values: [stream, ...columns(stretches), stretches.map(({ length }) => length), stretches.map(({ start }) => start)],
  })
}

/** Limits of rows read for one answer, and of its points; beyond these its steps are longer than asked for. */
const MOST_ROWS = 20_000
const MOST_POINTS = 10_000

/** Minutes of the steps of an answer, and of the rollups that these are made of. */
function steps(spanMs: number, wanted: number): { minutes: number; rolled: number } {
  const span = spanMs / MINUTE
  const least = Math.max(1, Math.floor(wanted), Math.ceil(span / MOST_POINTS))
  const lengths = [1, ...ROLLED]
  const rolled = lengths.find((length) => span / length <= MOST_ROWS) ?? lengths.at(-1)!
  const minutes = Math.ceil(least / rolled) * rolled
  return { minutes, rolled: lengths.findLast((length) => minutes % length === 0)! }
}

/** Prices of a range: `before` it, and at the end of each step of `minutes` in which the price changed, or of the range. */
export interface ShownRange {
  before: number | null
  points: { until: number; price: number }[]
  minutes: number
}

/**
 * The displayed price of a token, 0 … 1, at the end of each step in which it changed, and `before` the range. Times are engine
 * milliseconds. Steps are longer than asked for where there would be too many.
 */
export async function readShownPrices(
  { pool, stream }: { pool: pg.Pool; stream: string },
  condition: Hex,
  outcome: 0 | 1,
  { from, to, minutes: wanted }: { from: number; to: number; minutes: number },
): Promise<ShownRange> {
  const { minutes, rolled } = steps(to - from, wanted)
  const begin = from - (from % (minutes * MINUTE))
  const values = [stream, toBytes(condition), begin, from, to, minutes * MINUTE, rolled * MINUTE]
  const { rows } = await pool.query(
    rolled === 1 ? { name: 'shown', text: SHOWN, values } : { name: 'shown rolled', text: SHOWN_ROLLED, values: [...values, rolled] },
  )
  const price = (halfSteps: number) => (outcome === 0 ? halfSteps : 2 * ONE - halfSteps) / (2 * ONE)
  const before = rows.find(({ until }) => until === null)
  return {
    before: before ? price(before.half_steps) : null,
    points: rows.flatMap(({ until, half_steps }) => (until === null ? [] : [{ until: Math.min(until, to), price: price(half_steps) }])),
    minutes,
  }
}

/**
 * Lays prices on the grid: at each multiple of the step within the range the last price at or before it. There is no point before the first
 * price. `at` is in engine milliseconds.
 */
export function onGrid({ before, points, minutes }: ShownRange, from: number, to: number): { at: number; price: number }[] {
  const step = minutes * MINUTE
  const laid: { at: number; price: number }[] = []
  let price = before
  let next = 0
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    while (next < points.length && points[next]!.until <= at) price = points[next++]!.price
    if (price !== null) laid.push({ at, price })
  }
  return laid
}

/**
 * The price that held before $4, without a time; then the last of each step of $6 since $3, until $5. The rollup that is unfinished at $5
 * is looked up minute by minute.
 */
const shownFrom = (points: string) => `
  with points as (${points}),
  before as (
    select half_steps from shown_price where stream = $1 and condition_id = $2 and minute <= $4::int8 - ${MINUTE} order by minute desc limit 1
  )
  (select null as until, half_steps from before)
  union all
  (select distinct on (until) until, half_steps
   from (select at - at % $6::int8 + $6::int8 as until, at, half_steps from points) steps where until > $4 order by until, at desc)`

const SHOWN = shownFrom(`
  select minute as at, half_steps from shown_price
  where stream = $1 and condition_id = $2 and minute >= $3 and minute <= $5::int8 - $7::int8`)

const SHOWN_ROLLED = shownFrom(`
  select start as at, half_steps from shown_rollup
  where stream = $1 and condition_id = $2 and minutes = $8 and start >= $3 and start <= $5::int8 - $7::int8
  union all
  (select minute, half_steps from shown_price
   where stream = $1 and condition_id = $2 and minute >= $3 and minute >= $5::int8 - $5::int8 % $7::int8 and minute <= $5::int8 - ${MINUTE}
   order by minute desc limit 1)`)
