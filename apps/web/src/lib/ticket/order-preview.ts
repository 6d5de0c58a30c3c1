import { mulDiv } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import type { BookView, Level } from '#lib/book/book-view.ts'

/** An order to preview, in its own token: lots, or millionths of a USDC to spend. */
export interface OrderIntent {
  side: 'BUY' | 'SELL'
  /** Worst acceptable price, in steps. */
  limit: number
  /** One of the two is null. */
  lots: number | null
  budget: number | null
}

/** Millionths that one lot costs at most: a budget with less than this left counts as fully spent. */
export const CHANGE = 10_000

/** Result of an order against the current book. Money in millionths. */
export interface Preview {
  /** Fills by price, best first. */
  fills: Level[]
  lots: number
  cost: number
  fee: number
  /** Average price in hundredths of a step; null without fills. */
  average: number | null
  /** Price of the last fill. */
  worst: number | null
  /** How much worse the average is than the best price, as a fraction of it. */
  slippage: number
  /** Unfilled lots, or unspent millionths. */
  left: number
}

/**
 * Matches an order against a book of its own token as the exchange would: best level first, a budget buys whole lots at each. The fee is
 * lots × price × (1 − price) × rate, rounded once over all fills.
 */
export function previewOrder({ bids, asks }: BookView, { side, limit, lots, budget }: OrderIntent, feeBps: number): Preview {
  const fills: Level[] = []
  let left = lots ?? budget ?? 0
  let traded = 0
  let cost = 0
  let weight = 0n
  for (const level of side === 'BUY' ? asks : bids) {
    if (side === 'BUY' ? level.price > limit : level.price < limit) break
    const want = lots === null ? Math.floor(left / level.price) : left
    const some = Math.min(want, level.lots)
    if (some === 0) break
    fills.push({ price: level.price, lots: some })
    traded += some
    cost += some * level.price
    weight += BigInt(some) * BigInt(level.price * (ONE - level.price))
    left -= lots === null ? some * level.price : some
  }
  const best = fills[0]?.price
  const average = traded === 0 ? null : mulDiv(cost, 100, traded)
  const off = average === null || best === undefined ? 0 : Math.abs(average / 100 - best) / best
  return { fills, lots: traded, cost, fee: feeOf(weight, feeBps), average, worst: fills.at(-1)?.price ?? null, slippage: off, left }
}

/** The fee of all fills, rounded half up, in millionths. */
const feeOf = (weight: bigint, feeBps: number): number => Number((weight * BigInt(feeBps) * 2n + 100_000_000n) / 200_000_000n)

/** Worst price with a margin for a moving book: 2 %, at least one tick, within the market's range. */
export function guarded(side: 'BUY' | 'SELL', worst: number, grid: number): number {
  const room = Math.max(grid, Math.ceil(worst / 50 / grid) * grid)
  const roomy = side === 'BUY' ? worst + room : worst - room
  return Math.min(ONE - grid, Math.max(grid, roomy))
}

/** Whether a worst price is no worse than the agreed one; null means none. */
export const isWithin = (side: 'BUY' | 'SELL', worst: number | null, agreed: number | null): boolean =>
  worst === null || agreed === null || (side === 'BUY' ? worst <= agreed : worst >= agreed)

/** Moves a limit by a number of ticks, within the market's range. */
export const moved = (from: number, grid: number, by: number): number =>
  Math.min(ONE - grid, Math.max(grid, Math.round(from / grid + by) * grid))

/** The largest budget whose cost and fee are covered by `available`. */
export function largestBudget(book: BookView, available: number, limit: number, feeBps: number): number {
  const fits = (budget: number) => {
    const { cost, fee } = previewOrder(book, { side: 'BUY', limit, lots: null, budget }, feeBps)
    return cost + fee <= available
  }
  let enough = 0
  let tooMuch = available + 1
  while (tooMuch - enough > 1) {
    const middle = enough + Math.floor((tooMuch - enough) / 2)
    if (fits(middle)) enough = middle
    else tooMuch = middle
  }
  return enough
}
