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

/** How far beyond the best opposite price a limit may be without a warning: a step of one cent, and a part of that price. */
const NEAR_STEPS = 100
const NEAR_PART = 0.05

/** Steps by which a limit is far beyond the best price that it meets: a typing error, most likely. 0 where it is not, or meets nothing. */
export function farThrough({ bids, asks }: BookView, side: 'BUY' | 'SELL', limit: number): number {
  const best = (side === 'BUY' ? asks : bids)[0]?.price
  if (best === undefined) return 0
  const gap = side === 'BUY' ? limit - best : best - limit
  return gap > NEAR_STEPS && gap > best * NEAR_PART ? gap : 0
}

/**
 * The largest budget of a market BUY that takes no more than `spend` with its fee inside: the exchange counts a budget before the fee. What the
 * book cannot fill now counts with the fee of the last level, as more may be offered by the time the order arrives.
 */
export function budgetWithin(book: BookView, spend: number, limit: number, feeBps: number): number {
  return largest(spend, (budget) => {
    const { fee, left, worst } = previewOrder(book, { side: 'BUY', limit, lots: null, budget }, feeBps)
    const more = worst === null ? 0 : Math.ceil((left * (ONE - worst) * feeBps) / (ONE * ONE))
    return budget + fee + more <= spend
  })
}

/** The most lots of a limit BUY that take no more than `spend`: cost and fee of what fills at once, and the hold for the rest. */
export function lotsWithin(book: BookView, spend: number, limit: number, feeBps: number): number {
  const cheapest = Math.min(limit, book.asks[0]?.price ?? limit)
  return largest(Math.floor(spend / cheapest), (lots) => {
    const { cost, fee, left } = previewOrder(book, { side: 'BUY', limit, lots, budget: null }, feeBps)
    return cost + fee + left * limit <= spend
  })
}

/** The largest whole number up to `most` that fits, where everything below one that fits does, too. */
function largest(most: number, fits: (n: number) => boolean): number {
  let enough = 0
  let tooMuch = most + 1
  while (tooMuch - enough > 1) {
    const middle = enough + Math.floor((tooMuch - enough) / 2)
    if (fits(middle)) enough = middle
    else tooMuch = middle
  }
  return enough
}
