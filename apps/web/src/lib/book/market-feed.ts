import type { StreamStatus } from '@augury/client/stream'
import type { BookView } from './book-view.ts'
import type { TradeView } from './trade-view.ts'

/** The state of a followed market. `trades` are those received, newest first; null if unchanged. */
export interface MarketPaint {
  conditionId: string
  book: BookView
  trades: TradeView[] | null
  /** Millionths of a USDC that were traded, and that came in behind tokens, since the market was followed. */
  volume: number
  interest: number
}

/** A market to follow: its Yes and No tokens, and the number of levels wanted of each side. */
export interface FollowedMarket {
  conditionId: string
  tokens: readonly [string, string]
  depth: number
}

/** Messages from the page to the worker. */
export type FeedRequest =
  | { ask: 'open'; clobUrl: string }
  | { ask: 'follow'; market: FollowedMarket }
  | { ask: 'leave'; conditionId: string }
  /** The last update is painted: ready for the next. */
  | { ask: 'more' }

/** Messages from the worker to the page. */
export type FeedNews = { status: StreamStatus } | { paints: MarketPaint[] }

/**
 * Live markets. A worker parses, checks and applies the frames; the page gets changes at most ten times a second, never before it has painted the
 * last ones, and not while it is hidden.
 */
export class MarketFeed {
  readonly #worker: Worker

  constructor(
    clobUrl: string,
    { onStatus, onPaints }: { onStatus?: (status: StreamStatus) => void; onPaints: (paints: MarketPaint[]) => void },
  ) {
    this.#worker = new Worker(new URL('./market-worker.ts', import.meta.url), { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FeedNews>) => {
      if ('status' in data) return onStatus?.(data.status)
      onPaints(data.paints)
      // Animation frames pause while the page is hidden, and so do updates.
      requestAnimationFrame(() => this.#ask({ ask: 'more' }))
    })
    this.#worker.addEventListener('error', () => onStatus?.('refused'))
    this.#ask({ ask: 'open', clobUrl })
  }

  follow(market: FollowedMarket): void {
    this.#ask({ ask: 'follow', market })
  }

  /** Stops following a market; updates in flight may still arrive. */
  leave(conditionId: string): void {
    this.#ask({ ask: 'leave', conditionId })
  }

  /** Closes the feed for good. */
  close(): void {
    this.#worker.terminate()
  }

  #ask(request: FeedRequest): void {
    this.#worker.postMessage(request)
  }
}
