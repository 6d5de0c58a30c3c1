import type { LiveBook } from '@augury/client/live-book'
import { parseLots, parsePrice } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { MarketMessage } from '@augury/wire/market-stream'
import { type BookView, LEVELS_KEPT, readBook } from './book-view.ts'
import { type TradeView, withTrade } from './trade-view.ts'

/** Pairs that a share of a fill makes. */
const ISSUED = { direct: 0, mint: 1, merge: -1 } as const

/** A followed market between two paints: its last price and the trades received. The stream keeps the levels. */
export class LiveMarket {
  readonly #yesToken: string
  #last: number | null = null
  trades: TradeView[] = []
  /** Millionths of a USDC that were traded, and that came in behind tokens, since the market was followed. */
  volume = 0
  interest = 0

  constructor(yesToken: string) {
    this.#yesToken = yesToken
  }

  /** Applies the parts of a message other than levels. */
  apply(message: MarketMessage): void {
    if (message.event_type === 'book' && message.asset_id === this.#yesToken) {
      this.#last = message.last_trade_price === '' ? null : parsePrice(message.last_trade_price)
    } else if (message.event_type === 'last_trade_price') {
      const outcome = message.asset_id === this.#yesToken ? 0 : 1
      const price = parsePrice(message.price)
      this.#last = outcome === 0 ? price : ONE - price
      const { trade_id: id, side, size, timestamp, match_type } = message
      this.volume += price * parseLots(size)
      this.interest += ISSUED[match_type] * MICROS_PER_LOT * parseLots(size)
      // A trade with several makers arrives as several fills with the same id.
      const lots = parseLots(size) + (this.trades.find((trade) => trade.id === id)?.lots ?? 0)
      const others = this.trades.filter((trade) => trade.id !== id)
      this.trades = withTrade(others, { id, side, outcome, price, lots, at: Number(timestamp) })
    }
  }

  /** The current Yes book, with up to `depth` levels of each side; null before a snapshot. */
  view(book: LiveBook, depth = LEVELS_KEPT): BookView | null {
    if (!book.ready) return null
    return { ...readBook({ ...book.levels(0, depth), tick_size: book.tickSize }), last: this.#last }
  }
}
