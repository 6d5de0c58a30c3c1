import type { StreamStatus } from '@augury/client/stream'
import type { BookView } from './book-view.ts'
import type { TradeView } from './trade-view.ts'

/** A followed market as it stands. `trades` are those that were heard, newest first; null where they are what they were. */
export interface MarketPaint {
  conditionId: string
  book: BookView
  trades: TradeView[] | null
}

/** Which market to follow: the tokens of Yes and No, and how many levels of each side are wanted. */
export interface FollowedMarket {
  conditionId: string
  tokens: readonly [string, string]
  depth: number
}

/** What a page asks of its feed. */
export type FeedRequest =
  | { ask: 'open'; clobUrl: string }
  | { ask: 'follow'; market: FollowedMarket }
  | { ask: 'leave'; conditionId: string }
  /** What was told is on the screen: more may come. */
  | { ask: 'more' }

/** What a feed tells its page. */
export type FeedNews = { status: StreamStatus } | { paints: MarketPaint[] }

/**
 * Markets as the exchange streams them. Frames are read, checked and folded on a thread of their own, however many come; the page hears
 * of what changed ten times a second at most, never before it has drawn what it heard last, and not while nobody looks.
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
      // No frame is drawn while the page is hidden, so none is asked for.
      requestAnimationFrame(() => this.#ask({ ask: 'more' }))
    })
    this.#worker.addEventListener('error', () => onStatus?.('refused'))
    this.#ask({ ask: 'open', clobUrl })
  }

  follow(market: FollowedMarket): void {
    this.#ask({ ask: 'follow', market })
  }

  /** What was on its way of the market may still come. */
  leave(conditionId: string): void {
    this.#ask({ ask: 'leave', conditionId })
  }

  /** Ends it for good. */
  close(): void {
    this.#worker.terminate()
  }

  #ask(request: FeedRequest): void {
    this.#worker.postMessage(request)
  }
}
