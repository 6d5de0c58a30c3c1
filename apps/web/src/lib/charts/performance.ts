import { LOTS_PER_SHARE } from '@augury/units/lots'
import type { Activity, Position } from '@augury/wire/data'

/** Gain in USDC since the first trade, at a time: realised by sales and payouts above average cost, and unrealised. */
export interface Gain {
  /** Unix milliseconds. */
  t: number
  realised: number
  unrealised: number
}

/** Price history by token, oldest first: `p` (0..1) applies from `t` (Unix seconds). */
export type Prices = ReadonlyMap<string, readonly { t: number; p: number }[]>

/** Cost of a split or merged share in USDC until `settle` takes over the exchange's figures. */
const HALF = 0.5

interface Held {
  shares: number
  cost: number
}

const keyOf = (conditionId: string, outcome: number) => `${conditionId}:${outcome}`

/** Applies activity, oldest first, and tracks the realised gain and the positions. */
class Portfolio {
  realised = 0
  /** Total received, less total spent. */
  cash = 0
  readonly held = new Map<string, Held>()
  /** Whether the activity is complete. Otherwise shares may have come before it: what they cost is unknown, and so no gain of them counts. */
  readonly #isWhole: boolean

  constructor(isWhole: boolean) {
    this.#isWhole = isWhole
  }

  add(key: string, shares: number, price: number): void {
    const held = this.held.get(key) ?? { shares: 0, cost: 0 }
    this.held.set(key, { shares: held.shares + shares, cost: held.cost + shares * price })
  }
  take(key: string, shares: number, price: number): void {
    const held = this.held.get(key) ?? { shares: 0, cost: 0 }
    const known = Math.min(shares, held.shares)
    const gone = held.shares > 0 ? (held.cost * known) / held.shares : 0
    this.realised += (this.#isWhole ? shares : known) * price - gone
    this.held.set(key, { shares: Math.max(0, held.shares - shares), cost: held.cost - gone })
  }
  redeem(conditionId: string, shares: number, payout: number): void {
    const keys = [keyOf(conditionId, 0), keyOf(conditionId, 1)]
    const all = keys.map((key) => this.held.get(key) ?? { shares: 0, cost: 0 })
    const known = all.reduce((sum, held) => sum + held.shares, 0)
    const counted = this.#isWhole || known >= shares ? payout : (payout * known) / shares
    this.realised += counted - all.reduce((sum, { cost }) => sum + cost, 0)
    for (const key of keys) this.held.delete(key)
  }

  /** Swaps shares for cash and others of their event, which then cost what was given; where they paid since, and are unknown, it is spent. */
  convert(shares: ReadonlyMap<string, number>, cash: number): void {
    const came = [...shares.values()].reduce((sum, each) => sum + Math.max(0, each), 0)
    let cost = -cash
    for (const [key, each] of shares) {
      const held = this.held.get(key)
      if (each >= 0 || !held?.shares) continue
      const gone = (held.cost * Math.min(-each, held.shares)) / held.shares
      this.held.set(key, { shares: Math.max(0, held.shares + each), cost: held.cost - gone })
      cost += gone
    }
    if (came === 0) this.realised -= cost
    for (const [key, each] of shares) if (each > 0) this.add(key, each, cost / came)
  }

  apply({ type, conditionId, outcomeIndex, side, size, price, usdcSize }: Activity): void {
    const pair = [keyOf(conditionId, 0), keyOf(conditionId, 1)]
    this.cash += type === 'SPLIT' || side === 'BUY' ? -usdcSize : usdcSize
    if (type === 'TRADE') {
      if (side === 'SELL') this.take(keyOf(conditionId, outcomeIndex), size, price)
      else this.add(keyOf(conditionId, outcomeIndex), size, price)
    } else if (type === 'SPLIT') for (const key of pair) this.add(key, size, HALF)
    else if (type === 'MERGE') for (const key of pair) this.take(key, size, HALF)
    else if (type === 'REDEEM') this.redeem(conditionId, size, usdcSize)
  }

  /**
   * Sets the current positions and their cost, as the activity does not say what each half of a pair costs in an event; the rest of the cash
   * is realised gain.
   */
  settle(positions: readonly Position[]): void {
    this.held.clear()
    for (const { conditionId, outcomeIndex, size, initialValue } of positions)
      this.held.set(keyOf(conditionId, outcomeIndex), { shares: size, cost: initialValue })
    this.realised = positions.reduce((sum, { initialValue }) => sum + initialValue, this.cash)
  }
}

/** What the conversions of an event moved of each token, and the cash that they gave. */
interface Converted {
  shares: Map<string, number>
  cash: number
}

/** What trades, and pairs that were split or merged, did to the shares of each outcome. */
function movesOf({ type, side, outcomeIndex, size }: Activity): [outcome: number, by: number][] {
  if (type === 'TRADE') return [[outcomeIndex, side === 'SELL' ? -size : size]]
  const by = type === 'SPLIT' ? size : -size
  return type === 'SPLIT' || type === 'MERGE' ? [0, 1].map((outcome) => [outcome, by]) : []
}

/**
 * What was converted, by the last conversion of each event. Activity does not itemise conversions: they moved what is held beyond what all
 * else explains, but for shares that were paid since.
 */
function conversionsOf(rows: readonly Activity[], positions: readonly Position[]): Map<Activity, Converted> {
  const byEvent = new Map<string, Converted & { last: Activity }>()
  for (const row of rows) {
    if (row.type !== 'CONVERSION') continue
    const { shares = new Map(), cash = 0 } = byEvent.get(row.eventSlug) ?? {}
    byEvent.set(row.eventSlug, { last: row, shares, cash: cash + row.usdcSize })
  }
  const move = ({ eventSlug, conditionId }: Activity | Position, outcome: number, by: number) => {
    const shares = byEvent.get(eventSlug)?.shares
    const key = keyOf(conditionId, outcome)
    shares?.set(key, Math.round(((shares.get(key) ?? 0) + by) * LOTS_PER_SHARE) / LOTS_PER_SHARE)
  }
  for (const row of rows) for (const [outcome, by] of movesOf(row)) move(row, outcome, -by)
  for (const position of positions) move(position, position.outcomeIndex, position.size)
  for (const { eventSlug, conditionId } of rows.filter(({ type }) => type === 'REDEEM')) {
    for (const outcome of [0, 1]) byEvent.get(eventSlug)?.shares.delete(keyOf(conditionId, outcome))
  }
  return new Map([...byEvent.values()].map(({ last, ...converted }) => [last, converted]))
}

/**
 * Gains at the given times, in ascending order and ending now, from activity, oldest first. `positions` are all current ones; null if they or
 * the activity are not complete, and then leave conversions out: the gain is that of the shares whose coming is known.
 */
export function gains(
  rows: readonly Activity[],
  positions: readonly Position[] | null,
  prices: Prices,
  moments: readonly number[],
): Gain[] {
  const portfolio = new Portfolio(positions !== null)
  const conversions = conversionsOf(rows, positions ?? [])
  let next = 0
  return moments.map((t, i) => {
    for (; next < rows.length && rows[next]!.timestamp * 1000 <= t; next++) {
      portfolio.apply(rows[next]!)
      const converted = conversions.get(rows[next]!)
      if (converted) portfolio.convert(converted.shares, converted.cash)
    }
    if (positions && i === moments.length - 1) portfolio.settle(positions)
    const worth = [...portfolio.held].reduce(
      (sum, [key, { shares, cost }]) => sum + (shares > 0 ? shares * (priceAt(prices, key, t) ?? cost / shares) : 0),
      0,
    )
    const cost = [...portfolio.held.values()].reduce((sum, held) => sum + held.cost, 0)
    return { t, realised: portfolio.realised, unrealised: worth - cost }
  })
}

function priceAt(prices: Prices, key: string, t: number): number | null {
  let found: number | null = null
  for (const point of prices.get(key) ?? []) {
    if (point.t * 1000 > t && found !== null) break
    found = point.p
  }
  return found
}
