import { parseLots, parsePrice } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { ONE } from '@augury/units/price'

/** Lots resting at one price, in steps of the shown token. */
export interface Level {
  price: number
  lots: number
}

/** A book for display, best level first, in steps of one token. `last` is its last trade price. */
export interface BookView {
  bids: Level[]
  asks: Level[]
  last: number | null
  /** The price grid, in steps. */
  grid: number
}

/** A row of the ladder: with the total lots at this price or better, and their cost in millionths of a USDC. */
export interface LadderRow extends Level {
  cumulative: number
  cost: number
}

/** Levels shown on each side. */
const LADDER_LEVELS = 12

/** Levels kept of each side, to preview orders that go beyond the ladder. */
export const LEVELS_KEPT = 200

/** A book without orders. */
export const EMPTY_BOOK: BookView = { bids: [], asks: [], last: null, grid: 100 }

/** A book from the order-book service; levels in any order. */
export interface SentBook {
  bids: readonly { price: string; size: string }[]
  asks: readonly { price: string; size: string }[]
  last_trade_price?: string
  tick_size?: string
}

/** Parses a book. */
export function readBook(sent: SentBook): BookView {
  const read = ({ price, size }: { price: string; size: string }) => ({ price: parsePrice(price), lots: parseLots(size) })
  return {
    bids: sent.bids.map(read).sort((a, b) => b.price - a.price),
    asks: sent.asks.map(read).sort((a, b) => a.price - b.price),
    last: sent.last_trade_price ? parsePrice(sent.last_trade_price) : null,
    grid: sent.tick_size ? parsePrice(sent.tick_size) : EMPTY_BOOK.grid,
  }
}

/** The same book in terms of the other token: a bid for Yes is an ask for No at the complementary price. */
export function mirrored({ bids, asks, last, grid }: BookView): BookView {
  const turn = (levels: Level[]) => levels.map(({ price, lots }) => ({ price: ONE - price, lots }))
  return { bids: turn(asks), asks: turn(bids), last: last === null ? null : ONE - last, grid }
}

/** How levels are grouped: into rows of `step`, with prices rounded up (asks) or down (bids), at most `count`. */
interface Grouping {
  step?: number
  up?: boolean
  count?: number
}

/** The row of a price: rounded away from the spread, so bids down and asks up; unchanged at the ends of the range. */
export function groupOf(price: number, { step = 1, up = false }: Grouping): number {
  const at = (up ? Math.ceil(price / step) : Math.floor(price / step)) * step
  return at <= 0 || at >= ONE ? price : at
}

/** The best rows of a side with their running totals. Costs are exact, even if a row has several prices. */
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

/** The displayed price of a book's token, in percent; null without a price. */
export function chanceOf({ bids, asks, last }: BookView): number | null {
  const price = displayedPrice({ bid: bids[0]?.price ?? null, ask: asks[0]?.price ?? null, last })
  return price === null ? null : price / 100
}
