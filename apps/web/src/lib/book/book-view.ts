import { parseLots, parsePrice } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { ONE } from '@augury/units/price'

/** Shares waiting at one price: steps of the shown token, and lots. */
export interface Level {
  price: number
  lots: number
}

/** A book as a page shows it, best level first, in steps of one token. `last` is its last trade. */
export interface BookView {
  bids: Level[]
  asks: Level[]
  last: number | null
  /** The price grid in steps. */
  grid: number
}

/** A level of the ladder: with everything that waits at it or better, and what that costs in millionths of a USDC. */
export interface LadderRow extends Level {
  cumulative: number
  cost: number
}

/** Levels that a ladder shows on each side. */
export const LADDER_LEVELS = 12

/** Levels that a page keeps of each side, for what an order would meet beyond the ladder. */
export const LEVELS_KEPT = 200

/** A book without orders. */
export const EMPTY_BOOK: BookView = { bids: [], asks: [], last: null, grid: 100 }

/** What the order-book service sends of a book; levels in any order. */
export interface SentBook {
  bids: readonly { price: string; size: string }[]
  asks: readonly { price: string; size: string }[]
  last_trade_price?: string
  tick_size?: string
}

/** Reads a book as sent. */
export function readBook(sent: SentBook): BookView {
  const read = ({ price, size }: { price: string; size: string }) => ({ price: parsePrice(price), lots: parseLots(size) })
  return {
    bids: sent.bids.map(read).sort((a, b) => b.price - a.price),
    asks: sent.asks.map(read).sort((a, b) => a.price - b.price),
    last: sent.last_trade_price ? parsePrice(sent.last_trade_price) : null,
    grid: sent.tick_size ? parsePrice(sent.tick_size) : EMPTY_BOOK.grid,
  }
}

/** The same orders seen from the other token: who bids for Yes offers No for the rest of one USDC. */
export function mirrored({ bids, asks, last, grid }: BookView): BookView {
  const turn = (levels: Level[]) => levels.map(({ price, lots }) => ({ price: ONE - price, lots }))
  return { bids: turn(asks), asks: turn(bids), last: last === null ? null : ONE - last, grid }
}

/** How a side is put together: rows of `step`, its prices rounded up to them (asks) or down (bids), at most `count`. */
interface Grouping {
  step?: number
  up?: boolean
  count?: number
}

/** The row that a price belongs to: never a better one than was asked, so bids go down and asks up; at the ends it stays what it is. */
export function groupOf(price: number, { step = 1, up = false }: Grouping): number {
  const at = (up ? Math.ceil(price / step) : Math.floor(price / step)) * step
  return at <= 0 || at >= ONE ? price : at
}

/** The best levels of a side with their running totals; what they cost is exact, also where several prices share a row. */
export function ladderSide(levels: Level[], grouping: Grouping = {}): LadderRow[] {
  const rows: LadderRow[] = []
  let cumulative = 0
  let cost = 0
  for (const { price, lots } of levels) {
    const at = groupOf(price, grouping)
    const last = rows.at(-1)
    if (last?.price !== at && rows.length === (grouping.count ?? LADDER_LEVELS)) break
    cumulative += lots
    cost += price * lots
    if (last?.price === at) Object.assign(last, { lots: last.lots + lots, cumulative, cost })
    else rows.push({ price: at, lots, cumulative, cost })
  }
  return rows
}

/** The displayed price of a book's token, in percent. */
export const chanceOf = ({ bids, asks, last }: BookView): number =>
  displayedPrice({ bid: bids[0]?.price ?? null, ask: asks[0]?.price ?? null, last }) / 100
