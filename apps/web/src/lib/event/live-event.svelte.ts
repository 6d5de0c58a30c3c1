import type { StreamStatus } from '@augury/client/stream'
import { type BookView, LEVELS_KEPT } from '#lib/book/book-view.ts'
import { MarketFeed, type MarketPaint } from '#lib/book/market-feed.ts'
import { type Quote, quoteAfter, quoteOf } from '#lib/book/quote.ts'
import { mergeTrades, type TradeView } from '#lib/book/trade-view.ts'
import { siteNow, syncSiteClock } from '#lib/language/site-clock.ts'
import type { MarketView } from './event-view.ts'

/** Freshness of the shown data. */
export type LiveState = 'starting' | 'live' | 'delayed' | 'offline'

/** Milliseconds for which a lost connection counts as a delay. */
const DELAY_MS = 8_000
const CLOCK_MS = 1_000
/** A book that changes again within this many milliseconds is too fast to follow by eye. */
const SOON_MS = 250

interface Painted {
  book: BookView
  quote: Quote
  trades: TradeView[]
  volume: number
  interest: number
  /** When it was received, by the page's clock, and whether soon after the previous one. */
  at: number
  soon: boolean
}

/** USDC that were traded, and that came in behind tokens, since a page was read: in all, and by condition id. */
export interface Traded {
  volume: number
  interest: number
  of: ReadonlyMap<string, { volume: number; interest: number }>
}

/** Live data of the markets on an event page. Changes at most ten times a second. */
export class LiveEvent {
  state = $state<LiveState>('starting')
  /** The exchange's and the page's clock, in Unix milliseconds; 0 before the first tick. */
  now = $state(0)
  /** Time of the shown data by the same clock, while it is not live: when the connection was lost, or when the page was rendered. */
  lostAt = $state(0)
  #painted = $state.raw<ReadonlyMap<string, Painted>>(new Map())
  /** What had been traded when the page was last read. */
  #read = $state.raw<ReadonlyMap<string, Painted>>(new Map())
  #beside: ReadonlySet<string> = new Set()
  #delayTimer: ReturnType<typeof setTimeout> | undefined

  /** Keeps `now` ticking until the returned function is called, also without followed markets. `made` is when the page was rendered. */
  tick(made: number): () => void {
    syncSiteClock(made)
    const update = () => {
      this.now = siteNow()
    }
    update()
    const clock = setInterval(update, CLOCK_MS)
    return () => clearInterval(clock)
  }

  /** Follows markets until the returned function is called, and the quotes of others beside them, which count for no figure of the event. */
  follow(clobUrl: string, markets: readonly MarketView[], beside: readonly { conditionId: string; yesToken: string }[] = []): () => void {
    this.#beside = new Set(beside.map(({ conditionId }) => conditionId))
    this.lostAt = siteNow()
    const feed = new MarketFeed(clobUrl, {
      onStatus: (status) => this.#become(status),
      onPaints: (paints) => this.#paint(paints),
    })
    for (const { conditionId, tokens } of markets) feed.follow({ conditionId, tokens, depth: LEVELS_KEPT })
    for (const { conditionId, yesToken } of beside) feed.follow({ conditionId, tokens: [yesToken, ''], depth: 1 })
    return () => {
      feed.close()
      clearTimeout(this.#delayTimer)
      this.#painted = new Map()
      this.#read = new Map()
      this.state = 'starting'
    }
  }

  /** The live quote of a market, or else the one the page was rendered with. */
  quote({ conditionId }: Pick<MarketView, 'conditionId'>, before: Quote): Quote {
    const live = this.#painted.get(conditionId)?.quote
    return live ? quoteAfter(before, live) : before
  }
  /** The Yes book of a market; undefined before the first update. */
  book({ conditionId }: MarketView): BookView | undefined {
    return this.#painted.get(conditionId)?.book
  }
  /** What was traded since the page was read. */
  readonly traded: Traded = $derived.by(() => {
    const of = new Map<string, { volume: number; interest: number }>()
    const total = { volume: 0, interest: 0 }
    for (const [conditionId, { volume, interest }] of this.#painted) {
      if (this.#beside.has(conditionId)) continue
      const before = this.#read.get(conditionId)
      const since = { volume: (volume - (before?.volume ?? 0)) / 1e6, interest: (interest - (before?.interest ?? 0)) / 1e6 }
      of.set(conditionId, since)
      total.volume += since.volume
      total.interest += since.interest
    }
    return { ...total, of }
  })
  /** The page was read anew: its figures count what was traded until now. */
  reread(): void {
    this.#read = this.#painted
  }

  /** Whether changes of a book are slow enough to highlight each. */
  isCalm({ conditionId }: MarketView): boolean {
    return this.state === 'live' && this.#painted.get(conditionId)?.soon === false
  }
  /** Trades of a market, newest first: live ones, then those the page was rendered with. Null if neither are known. */
  trades({ conditionId }: MarketView, before: TradeView[] | null): TradeView[] | null {
    const live = this.#painted.get(conditionId)?.trades ?? []
    return before === null && live.length === 0 ? null : mergeTrades(live, before ?? [])
  }

  #paint(paints: MarketPaint[]): void {
    const painted = new Map(this.#painted)
    const at = performance.now()
    for (const { conditionId, book, trades, volume, interest } of paints) {
      const previous = painted.get(conditionId)
      const soon = previous !== undefined && at - previous.at < SOON_MS
      painted.set(conditionId, {
        book,
        quote: quoteAfter(previous?.quote, quoteOf(book)),
        trades: trades ?? previous?.trades ?? [],
        volume,
        interest,
        at,
        soon,
      })
    }
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
