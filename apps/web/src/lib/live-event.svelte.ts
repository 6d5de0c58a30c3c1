import type { LiveBook } from '@augury/client/live-book'
import type { MarketStream, StreamStatus } from '@augury/client/stream'
import type { BookView } from './book-view.ts'
import type { MarketView } from './event-view.ts'
import { LiveMarket, mergeTrades } from './live-market.ts'
import { PaintClock } from './paint-clock.ts'
import { type Quote, quoteOf } from './quote.ts'
import type { TradeView } from './trade-view.ts'

/** How fresh what a page shows is. */
export type LiveState = 'starting' | 'live' | 'delayed' | 'offline'

/** How long a lost connection counts as a delay. */
const DELAY_MS = 8_000
const CLOCK_MS = 1_000

interface Painted {
  book: BookView
  quote: Quote
  trades: TradeView[]
}

/** The markets of an event page as the exchange streams them. Messages go into plain books; the page is told of them ten times a second at most. */
export class LiveEvent {
  state = $state<LiveState>('starting')
  /** The exchange's and the page's clock, in Unix milliseconds; 0 before the first tick. */
  now = $state(0)
  /** When the connection was lost, by the same clock. */
  lostAt = $state(0)
  #painted = $state.raw<ReadonlyMap<string, Painted>>(new Map())
  #heard = new Map<string, { market: LiveMarket; book: LiveBook }>()
  readonly #clock = new PaintClock(() => this.#paint())
  #delayTimer: ReturnType<typeof setTimeout> | undefined

  /** Follows markets until the answered function is called. `serverNow` sets the clock. */
  follow(clobUrl: string, markets: readonly MarketView[], serverNow: number): () => void {
    const ahead = serverNow - Date.now()
    this.now = serverNow
    const clock = setInterval(() => {
      this.now = Date.now() + ahead
    }, CLOCK_MS)
    let stream: MarketStream | undefined
    let left = false
    // What reads the stream comes after the page can be used: it is as large as the rest of the page.
    void import('@augury/client/stream').then(({ MarketStream, marketStreamUrl }) => {
      if (left) return
      stream = new MarketStream({ url: marketStreamUrl(clobUrl), onStatus: (status) => this.#become(status) })
      for (const { conditionId, tokens } of markets) {
        const market = new LiveMarket(tokens[0])
        stream.follow({ condition_id: conditionId, tokens: tokens.map((token_id) => ({ token_id })) }, (book, message) => {
          market.hear(message)
          this.#heard.set(conditionId, { market, book })
          this.#clock.heard()
        })
      }
    })
    this.#clock.start()
    return () => {
      this.#clock.stop()
      clearInterval(clock)
      clearTimeout(this.#delayTimer)
      left = true
      stream?.close()
      this.#heard.clear()
      this.#painted = new Map()
      this.state = 'starting'
    }
  }

  /** What a row shows of a market; undefined until the stream has told. */
  quote({ conditionId }: MarketView): Quote | undefined {
    return this.#painted.get(conditionId)?.quote
  }
  /** The Yes book of a market; undefined until the stream has told. */
  book({ conditionId }: MarketView): BookView | undefined {
    return this.#painted.get(conditionId)?.book
  }
  /** Trades of a market, newest first: those heard, and below them those the page was made with. Null when neither is known. */
  trades({ conditionId }: MarketView, before: TradeView[] | null): TradeView[] | null {
    const heard = this.#painted.get(conditionId)?.trades ?? []
    return before === null && heard.length === 0 ? null : mergeTrades(heard, before ?? [])
  }

  #paint(): void {
    const painted = new Map(this.#painted)
    for (const [id, { market, book }] of this.#heard) {
      const view = market.view(book)
      if (view) painted.set(id, { book: view, quote: quoteOf(view), trades: market.trades })
    }
    this.#heard.clear()
    this.#painted = painted
  }

  #become(status: StreamStatus): void {
    clearTimeout(this.#delayTimer)
    if (status === 'reconnecting' && this.state === 'live') this.lostAt = this.now
    if (status === 'live') this.state = 'live'
    else if (status === 'refused') this.state = 'offline'
    else if (status === 'reconnecting' && this.state !== 'offline') {
      this.state = 'delayed'
      this.#delayTimer = setTimeout(() => {
        this.state = 'offline'
      }, DELAY_MS)
    }
  }
}
