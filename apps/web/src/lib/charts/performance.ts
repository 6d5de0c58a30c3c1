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

  add(key: string, shares: number, price: number): void {
    const held = this.held.get(key) ?? { shares: 0, cost: 0 }
    this.held.set(key, { shares: held.shares + shares, cost: held.cost + shares * price })
  }
  take(key: string, shares: number, price: number): void {
    const held = this.held.get(key) ?? { shares: 0, cost: 0 }
    const gone = held.shares > 0 ? (held.cost * Math.min(shares, held.shares)) / held.shares : 0
    this.realised += shares * price - gone
    this.held.set(key, { shares: Math.max(0, held.shares - shares), cost: held.cost - gone })
  }
  redeem(conditionId: string, payout: number): void {
    const keys = [keyOf(conditionId, 0), keyOf(conditionId, 1)]
    this.realised += payout - keys.reduce((sum, key) => sum + (this.held.get(key)?.cost ?? 0), 0)
    for (const key of keys) this.held.delete(key)
  }

  apply({ type, conditionId, outcomeIndex, side, size, price, usdcSize }: Activity): void {
    const pair = [keyOf(conditionId, 0), keyOf(conditionId, 1)]
    this.cash += type === 'SPLIT' || side === 'BUY' ? -usdcSize : usdcSize
    if (type === 'TRADE') {
      if (side === 'SELL') this.take(keyOf(conditionId, outcomeIndex), size, price)
      else this.add(keyOf(conditionId, outcomeIndex), size, price)
    } else if (type === 'SPLIT') for (const key of pair) this.add(key, size, HALF)
    else if (type === 'MERGE') for (const key of pair) this.take(key, size, HALF)
    else if (type === 'REDEEM') this.redeem(conditionId, usdcSize)
  }

  /**
   * Sets the current positions and their cost, as conversions are not itemised, nor what each half of a pair costs in an event; the rest of
   * the cash is realised gain.
   */
  settle(positions: readonly Position[]): void {
    this.held.clear()
    for (const { conditionId, outcomeIndex, size, initialValue } of positions)
      this.held.set(keyOf(conditionId, outcomeIndex), { shares: size, cost: initialValue })
    this.realised = positions.reduce((sum, { initialValue }) => sum + initialValue, this.cash)
  }
}

/**
 * Gains at the given times, in ascending order and ending now, from activity, oldest first. `positions` are all current ones; null if they or
 * the activity are not complete, and then leave conversions out.
 */
export function gains(
  rows: readonly Activity[],
  positions: readonly Position[] | null,
  prices: Prices,
  moments: readonly number[],
): Gain[] {
  const portfolio = new Portfolio()
  let next = 0
  return moments.map((t, i) => {
    for (; next < rows.length && rows[next]!.timestamp * 1000 <= t; next++) portfolio.apply(rows[next]!)
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
