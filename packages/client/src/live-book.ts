import { formatLots, formatPrice, parseLots, parsePrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import type { Level } from '@augury/wire/book'
import { bookChecksum } from '@augury/wire/checksum'
import type { BookMessage, MarketMessage, PriceChangeMessage } from '@augury/wire/market-stream'
import { BookSide } from './book-side.ts'

/** Effect of a message on a book. After `gap` a new snapshot is needed. */
export type Applied = 'applied' | 'ignored' | 'gap'

/** A trade, in terms of the taker's token. */
export interface LiveTrade {
  assetId: string
  price: string
  size: string
  side: 'BUY' | 'SELL'
  tradeId: string
  /** Unix milliseconds. */
  at: number
}

/**
 * The book of a condition, maintained from the market channel. One ladder of Yes prices serves both tokens, as No mirrors it.
 * A frame whose `prev_seq` is not the last position, or whose checksum differs, is a gap.
 */
export class LiveBook {
  readonly #tokens: readonly [string, string]
  readonly #bids = new BookSide(true)
  readonly #asks = new BookSide(false)
  #previous = -1
  /** Position of the last applied frame; -1 before the first snapshot. */
  seq = -1
  epoch = -1
  tickSize: string | undefined
  /** As last told; undefined until it changes, and after a gap, in which it may have. */
  mode: string | undefined
  lastTrade: LiveTrade | undefined

  /** `tokens` are the ids of Yes and No. */
  constructor(tokens: readonly [string, string]) {
    this.#tokens = tokens
  }

  /** Whether it has had a snapshot. */
  get ready(): boolean {
    return this.seq >= 0
  }

  /** Clears the book until the next snapshot. */
  reset(): void {
    this.#bids.clear()
    this.#asks.clear()
    this.seq = -1
    this.#previous = -1
    this.mode = undefined
  }

  /** Applies one message of the channel. */
  apply(message: MarketMessage): Applied {
    if (message.event_type === 'book') return this.#snapshot(message)
    if (message.event_type === 'resync') {
      this.reset()
      return 'applied'
    }
    if (!('prev_seq' in message) || !this.ready) return 'ignored'
    if (message.epoch !== this.epoch) return 'gap'
    const sameFrame = message.seq === this.seq && message.prev_seq === this.#previous
    if (!sameFrame && message.seq <= this.seq) return 'ignored'
    if (!sameFrame && message.prev_seq !== this.seq) return 'gap'
    this.#previous = message.prev_seq
    this.seq = message.seq
    return this.#change(message)
  }

  #change(message: MarketMessage): Applied {
    switch (message.event_type) {
      case 'price_change':
        return this.#levels(message)
      case 'last_trade_price': {
        const { asset_id, price, size, side, trade_id, timestamp } = message
        this.lastTrade = { assetId: asset_id, price, size, side, tradeId: trade_id, at: Number(timestamp) }
        return 'applied'
      }
      case 'tick_size_change':
        this.tickSize = message.new_tick_size
        return 'applied'
      case 'market_mode':
        this.mode = message.mode
        return 'applied'
      default:
        return 'applied'
    }
  }

  #snapshot(message: BookMessage): Applied {
    if (message.asset_id !== this.#tokens[0]) return 'ignored'
    this.reset()
    for (const [side, levels] of [
      [this.#bids, message.bids],
      [this.#asks, message.asks],
    ] as const) {
      for (const { price, size } of levels) side.set(parsePrice(price), parseLots(size))
    }
    this.seq = message.seq
    this.#previous = message.prev_seq
    this.epoch = message.epoch
    this.tickSize = message.tick_size
    return 'applied'
  }

  #levels(message: PriceChangeMessage): Applied {
    for (const { asset_id, side, price, size } of message.price_changes) {
      if (asset_id !== this.#tokens[0]) continue
      const levels = side === 'BUY' ? this.#bids : this.#asks
      levels.set(parsePrice(price), parseLots(size))
    }
    if (message.checksum === undefined) return 'applied'
    const { bids, asks } = this.levels(0, 10)
    return bookChecksum(bids, asks) === message.checksum ? 'applied' : 'gap'
  }

  /** Levels of one token, best first. */
  levels(outcome: 0 | 1, depth = Number.POSITIVE_INFINITY): { bids: Level[]; asks: Level[] } {
    const yes = { bids: this.#bids.top(depth), asks: this.#asks.top(depth) }
    if (outcome === 0) return { bids: named(yes.bids, (k) => k), asks: named(yes.asks, (k) => k) }
    return { bids: named(yes.asks, (k) => ONE - k), asks: named(yes.bids, (k) => ONE - k) }
  }
}

const named = (levels: readonly [number, number][], price: (k: number) => number): Level[] =>
  levels.map(([k, lots]) => ({ price: formatPrice(price(k)), size: formatLots(lots) }))
