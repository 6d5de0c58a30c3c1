import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { displayedPrice } from '@augury/units/displayed-price'
import { ONE } from '@augury/units/price'
import type pg from 'pg'
import { lastTradeOf } from './books.ts'
import { toBytes } from './postgres.ts'
import type { AppliedRow } from './venue.ts'

const MINUTE = 60_000

/** What lists showed a condition at from some time of a minute on. */
export interface ShownPrice {
  condition: Hex
  /** Engine milliseconds at which the minute begins. */
  minute: number
  /** Halves of a Yes step: a midpoint may lie between two. */
  halfSteps: number
}

/** Displayed price of Yes in half steps; what it pays once the condition is resolved. */
export function halfStepsOf(exchange: Exchange, id: Hex): number {
  const condition = exchange.condition(id)!
  if (condition.mode === 'resolved') return condition.weight! * 2
  const { bids, asks } = exchange.depth(id, 0, 1)
  const last = condition.lastTrade ? lastTradeOf(condition.lastTrade, 0).price : null
  return Math.round(displayedPrice({ bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null, last }) * 2)
}

/** Follows what lists show, for history: the last price of each minute in which it changed. */
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

  /** Before a row of a new minute is applied, what the last one ended with is noted. */
  before(at: number): void {
    const minute = at - (at % MINUTE)
    if (minute !== this.#minute) this.#note()
    this.#minute = minute
  }

  /** After a row is applied. */
  after({ outcomes }: AppliedRow): void {
    for (const { events } of outcomes) {
      for (const event of events) {
        if (event.type === 'level' || event.type === 'fill' || event.type === 'condition') this.#touched.add(event.condition)
      }
    }
  }

  /** Hands over what was noted, with the present of the minute that is not over. */
  take(): ShownPrice[] {
    this.#note()
    const gathered = this.#gathered
    this.#gathered = []
    return gathered
  }

  #note(): void {
    for (const condition of this.#touched) {
      const halfSteps = halfStepsOf(this.#exchange, condition)
      if (this.#last.get(condition) === halfSteps) continue
      this.#last.set(condition, halfSteps)
      this.#gathered.push({ condition, minute: this.#minute, halfSteps })
    }
    this.#touched.clear()
  }
}

/** Writes prices in a transaction of the caller's; the last of a minute stays. */
export async function writeShownPrices(client: pg.ClientBase, stream: string, prices: readonly ShownPrice[]): Promise<void> {
  const last = [...new Map(prices.map((price) => [`${price.condition}${price.minute}`, price])).values()]
  if (last.length === 0) return
  await client.query({
    name: 'shown prices',
    text: `
      insert into shown_price (stream, condition_id, minute, half_steps) select $1, c, m, h from unnest($2::bytea[], $3::int8[], $4::int[]) as p (c, m, h)
      on conflict (stream, condition_id, minute) do update set half_steps = excluded.half_steps`,
    values: [
      stream,
      last.map(({ condition }) => toBytes(condition)),
      last.map(({ minute }) => minute),
      last.map(({ halfSteps }) => halfSteps),
    ],
  })
}

/** Prices of a token, 0 … 1, as they were shown at the end of each step in which they changed; `before` is the one that the range began with. */
export async function readShownPrices(
  { pool, stream }: { pool: pg.Pool; stream: string },
  condition: Hex,
  outcome: 0 | 1,
  { from, to, minutes }: { from: number; to: number; minutes: number },
): Promise<{ before: number | null; points: { at: number; price: number }[] }> {
  const step = Math.max(1, Math.floor(minutes)) * MINUTE
  const where = 'stream = $1 and condition_id = $2'
  const who = [stream, toBytes(condition)]
  const [earlier, during] = await Promise.all([
    pool.query({
      name: 'shown before',
      text: `select half_steps from shown_price where ${where} and minute < $3 order by minute desc limit 1`,
      values: [...who, from],
    }),
    pool.query({
      name: 'shown',
      text: `
        select minute - minute % $5::int8 as at, (array_agg(half_steps order by minute desc))[1] as half_steps
        from shown_price where ${where} and minute >= $3 and minute <= $4 group by 1 order by 1`,
      values: [...who, from, to, step],
    }),
  ])
  const price = (halfSteps: number) => (outcome === 0 ? halfSteps : 2 * ONE - halfSteps) / (2 * ONE)
  return {
    before: earlier.rows[0] ? price(earlier.rows[0].half_steps) : null,
    points: during.rows.map(({ at, half_steps }) => ({ at, price: price(half_steps) })),
  }
}
