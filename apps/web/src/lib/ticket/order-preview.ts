import { mulDiv } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import type { BookView, Level } from '#lib/book/book-view.ts'

/** What an order is to do, in the tokens it names: lots, or millionths of a USDC to spend. */
export interface Wish {
  side: 'BUY' | 'SELL'
  /** Worst price it may trade at, in steps. */
  limit: number
  /** Either is null. */
  lots: number | null
  budget: number | null
}

/** Millionths that buy no lot at some price: what a budget leaves over when it bought all it could. */
export const CHANGE = 10_000

/** What an order would do if it met the book as it is. Money in millionths. */
export interface Preview {
  /** What is traded at each price, the best one first. */
  fills: Level[]
  lots: number
  cost: number
  fee: number
  /** Price of the average share in hundredths of a step, for it lies between steps; null when nothing is traded. */
  average: number | null
  /** Last price it trades at. */
  worst: number | null
  /** By how much the average is worse than the best price, in parts of it. */
  slippage: number
  /** Lots, or millionths, that find nobody. */
  left: number
}

/**
 * Walks a book (of the order's own token) as the exchange would: best level first, a budget buys whole lots at each, the fee is
 * lots × price × (1 − price) × rate, rounded once over all fills.
 */
export function previewOrder({ bids, asks }: BookView, { side, limit, lots, budget }: Wish, feeBps: number): Preview {
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

/** The fee of all fills together, half up, in millionths. */
const feeOf = (weight: bigint, feeBps: number): number => Number((weight * BigInt(feeBps) * 2n + 100_000_000n) / 200_000_000n)

/** A worst price that leaves room for a book that moves: a fiftieth, at least one step of the grid, and within what the market allows. */
export function guarded(side: 'BUY' | 'SELL', worst: number, grid: number): number {
  const room = Math.max(grid, Math.ceil(worst / 50 / grid) * grid)
  const roomy = side === 'BUY' ? worst + room : worst - room
  return Math.min(ONE - grid, Math.max(grid, roomy))
}

/** Whether a worst price is no worse than one that was agreed to; null is none. */
export const isWithin = (side: 'BUY' | 'SELL', worst: number | null, agreed: number | null): boolean =>
  worst === null || agreed === null || (side === 'BUY' ? worst <= agreed : worst >= agreed)

/** A limit moved by so many steps of the grid, within what the market allows. */
export const moved = (from: number, grid: number, by: number): number =>
  Math.min(ONE - grid, Math.max(grid, Math.round(from / grid + by) * grid))

/** The most that can be spent on shares so that they and their fee are paid by what is there. */
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
