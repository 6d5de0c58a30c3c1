import { createHash } from 'node:crypto'
import type { Hex, Outcome, Side } from '@augury/engine/command'
import { formatLots, formatPrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import type { Book, Level } from '@augury/wire/book'
import { BOOK_LEVELS } from '@augury/wire/limits'

/** Finer grids than this are displayed on it: 0.001, in steps. */
const DISPLAYED = 10

/** Best first, in steps of the token and lots. */
export interface Depth {
  bids: [price: number, lots: number][]
  asks: [price: number, lots: number][]
}
/** The last trade of a condition: price in Yes steps, token and side of the taker. */
export interface LastTrade {
  price: number
  outcome: Outcome
  side: Side
}

/** What a book needs from the engine. */
export interface BookSource {
  depth(condition: Hex, outcome: Outcome, levels: number): Depth
  condition(condition: Hex): { grid: number; minLots: number; event: Hex | null; lastTrade: LastTrade | null } | null
}

/** An outcome token: a side of a condition. */
export interface Token {
  id: string
  condition: Hex
  outcome: Outcome
}

/** How a book is laid out: whole and best first, whole and best last, or as `POST /books` displays it. */
export type Layout = 'best_first' | 'best_last' | 'displayed'

/** The side of a trade as the mirror token sees it. */
export const OTHER_SIDE: Readonly<Record<Side, Side>> = { BUY: 'SELL', SELL: 'BUY' }

/** The last trade as seen from a token: the mirror token sees the other side at the complement. */
export function lastTradeOf(trade: LastTrade, outcome: Outcome): { price: number; side: Side } {
  const price = outcome === 0 ? trade.price : ONE - trade.price
  return { price, side: outcome === trade.outcome ? trade.side : OTHER_SIDE[trade.side] }
}

/**
 * Rounds a price of a finer grid outwards to 0.001, so that a displayed price can be executed; exact outside [0.001, 0.999]. On other grids
 * not every multiple of 0.001 is a price: theirs are exact. In steps.
 */
export function executablePrice(side: 'bid' | 'ask', price: number, grid: number): number {
  if (grid >= DISPLAYED) return price
  if (side === 'bid') return price < DISPLAYED ? price : price - (price % DISPLAYED)
  const up = Math.ceil(price / DISPLAYED) * DISPLAYED
  return up > ONE - DISPLAYED ? price : up
}

/** Rounds and merges levels, best first, and keeps the best twelve. */
export function displayedLevels(side: 'bid' | 'ask', levels: readonly [price: number, lots: number][], grid: number): [number, number][] {
  const merged: [number, number][] = []
  for (const [exact, lots] of levels) {
    if (!lots) continue
    const price = executablePrice(side, exact, grid)
    const last = merged.at(-1)
    if (last?.[0] === price) last[1] += lots
    else if (merged.length === BOOK_LEVELS) break
    else merged.push([price, lots])
  }
  return merged
}

/** SHA-1 of the compact JSON with an empty hash: what the established clients compute over the object they received. */
export const bookHash = (book: Book): string =>
  createHash('sha1')
    .update(JSON.stringify({ ...book, hash: '' }))
    .digest('hex')

const text = (levels: [number, number][]): Level[] => levels.map(([price, lots]) => ({ price: formatPrice(price), size: formatLots(lots) }))

/** A book as of a position of the log. */
interface ReadyBook {
  seq: number
  book: Book
  text: string
}

/** Log position and engine milliseconds of the last change of a book. */
export interface Version {
  seq: number
  at: number
}

/** Books as objects and as ready text, rebuilt only when their condition changed. */
export class Books {
  readonly #source: BookSource
  readonly #start: Version
  readonly #versions = new Map<Hex, Version>()
  /** By layout and token. */
  readonly #ready: Record<Layout, Map<string, ReadyBook>> = {
    best_first: new Map(),
    best_last: new Map(),
    displayed: new Map(),
  }
  readonly #registered = new Set<Hex>()

  /** `start`: position and time of the engine at the start of the process, for books that have not changed since. */
  constructor(source: BookSource, start: Version) {
    this.#source = source
    this.#start = start
  }

  /** Notes that a row changed a condition. Must be called before its books are read again. */
  touch(condition: Hex, seq: number, at: number): void {
    Object.assign(this.#version(condition), { seq, at })
  }

  /** The version of a condition's book: always the same object, whose fields are updated. */
  version(condition: Hex): Readonly<Version> {
    return this.#version(condition)
  }

  #version(condition: Hex): Version {
    let version = this.#versions.get(condition)
    if (!version) {
      version = { ...this.#start }
      this.#versions.set(condition, version)
    }
    return version
  }

  /** Whether a condition is registered. */
  has(condition: Hex): boolean {
    if (this.#registered.has(condition)) return true
    if (!this.#source.condition(condition)) return false
    this.#registered.add(condition)
    return true
  }

  /** The book of a token; `levels` narrows the exact layouts. Throws when the condition is not registered: look the token up first. */
  book(token: Token, layout: Layout, levels = ONE): Book {
    return levels < ONE ? this.#render(token, layout, levels) : this.#get(token, layout).book
  }

  /** The same as JSON. */
  text(token: Token, layout: Layout): string {
    return this.#get(token, layout).text
  }

  #get(token: Token, layout: Layout): ReadyBook {
    const all = this.#ready[layout]
    const { seq } = this.version(token.condition)
    let ready = all.get(token.id)
    if (ready?.seq !== seq) {
      const book = this.#render(token, layout, layout === 'displayed' ? BOOK_LEVELS * DISPLAYED + DISPLAYED : ONE)
      ready = { seq, book, text: JSON.stringify(book) }
      all.set(token.id, ready)
    }
    return ready
  }

  #render({ id, condition, outcome }: Token, layout: Layout, levels: number): Book {
    const view = this.#source.condition(condition)
    if (!view) throw new Error(`no condition ${condition}`)
    const depth = this.#source.depth(condition, outcome, levels)
    const bids = layout === 'displayed' ? displayedLevels('bid', depth.bids, view.grid) : depth.bids
    const asks = layout === 'displayed' ? displayedLevels('ask', depth.asks, view.grid) : depth.asks
    const book: Book = {
      market: condition,
      asset_id: id,
      timestamp: String(this.version(condition).at),
      hash: '',
      bids: layout === 'best_last' ? text(bids).reverse() : text(bids),
      asks: layout === 'best_last' ? text(asks).reverse() : text(asks),
      min_order_size: formatLots(view.minLots),
      tick_size: formatPrice(view.grid),
      neg_risk: view.event !== null,
      last_trade_price: view.lastTrade ? formatPrice(lastTradeOf(view.lastTrade, outcome).price) : '',
    }
    book.hash = bookHash(book)
    return book
  }
}
