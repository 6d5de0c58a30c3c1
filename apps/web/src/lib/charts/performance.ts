import type { Activity, Position } from '@augury/wire/data'

/** A moment's gain since the first trade: what sales and payouts brought above their average cost, and what the rest was worth above its own. USDC. */
export interface Gain {
  /** Unix milliseconds. */
  t: number
  realised: number
  unrealised: number
}

/** A price of a token (0..1) from a moment on, oldest first: `t` in Unix seconds. */
export type Prices = ReadonlyMap<string, readonly { t: number; p: number }[]>

/** What was split or merged counts half a dollar a share, as the exchange counts it. */
const HALF = 0.5

interface Held {
  shares: number
  cost: number
}

const keyOf = (conditionId: string, outcome: number) => `${conditionId}:${outcome}`

/** Walks what happened, oldest first, and tells after each row what was realised so far and what was held. */
class Book {
  realised = 0
  /** What all of it brought, less what it took. */
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

  /** What a conversion changed is not told share by share: what is held now, and what that cost, says it, and the rest of the cash is gain. */
  settle(positions: readonly Position[]): void {
    this.held.clear()
    for (const { conditionId, outcomeIndex, size, initialValue } of positions)
      this.held.set(keyOf(conditionId, outcomeIndex), { shares: size, cost: initialValue })
    this.realised = positions.reduce((sum, { initialValue }) => sum + initialValue, this.cash)
  }
}

/**
 * Gains at the moments asked for, which are in order, from everything that happened, oldest first. The last moment is now. Leave conversions
 * out where that is not everything.
 */
export function gains(rows: readonly Activity[], positions: readonly Position[], prices: Prices, moments: readonly number[]): Gain[] {
  const book = new Book()
  const lastConversion = rows.findLastIndex(({ type }) => type === 'CONVERSION')
  let next = 0
  return moments.map((t, i) => {
    for (; next < rows.length && rows[next]!.timestamp * 1000 <= t; next++) book.apply(rows[next]!)
    if (lastConversion !== -1 && i === moments.length - 1) book.settle(positions)
    const worth = [...book.held].reduce(
      (sum, [key, { shares, cost }]) => sum + (shares > 0 ? shares * (priceAt(prices, key, t) ?? cost / shares) : 0),
      0,
    )
    const cost = [...book.held.values()].reduce((sum, held) => sum + held.cost, 0)
    return { t, realised: book.realised, unrealised: worth - cost }
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
