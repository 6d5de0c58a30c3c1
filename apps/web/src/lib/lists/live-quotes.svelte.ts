import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { MarketFeed, type MarketPaint } from '#lib/book/market-feed.ts'
import { type Quote, quoteAfter, quoteOf } from '#lib/book/quote.ts'
import type { MarketRow } from './event-card.ts'

/** Milliseconds for which a card must be visible before its markets are followed, which skips cards that are scrolled past. */
const SETTLED_MS = 400
/** Most markets followed at once, well below the limit of a socket. */
const MOST = 120

type Row = Pick<MarketRow, 'conditionId' | 'yesToken' | 'result'>

/** Live quotes of the visible cards' markets, over one socket per page. */
class LiveQuotes {
  readonly #painted = new SvelteMap<string, Quote>()
  /** Millionths of a USDC that were traded in markets while they were followed: before they were left, and since they are followed again. */
  readonly #left = new Map<string, number>()
  readonly #traded = new SvelteMap<string, number>()
  /** Number of cards that follow a market. */
  readonly #followed = new Map<string, number>()
  #feed: MarketFeed | undefined

  /** The live quote of a market, or else the one the page was rendered with. */
  quote<Given extends Quote & Row>(row: Given): Quote {
    const live = this.#painted.get(row.conditionId)
    return live ? quoteAfter(row, live) : row
  }

  /** USDC that were seen to be traded in markets since the page was opened. */
  traded(rows: readonly Row[]): number {
    return rows.reduce((sum, { conditionId }) => sum + (this.#traded.get(conditionId) ?? 0), 0) / 1e6
  }

  /** Attachment that follows the markets of an element while it is visible. */
  watch(clobUrl: string, rows: readonly Row[]): (element: Element) => () => void {
    // A draft has no markets yet.
    const wanted = rows.filter(({ result, conditionId }) => result === null && conditionId !== '')
    return (element) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      let following: Row[] = []
      const leave = () => {
        clearTimeout(timer)
        for (const row of following) this.#leave(row)
        following = []
      }
      const observer = new IntersectionObserver(([entry]) => {
        leave()
        if (!entry?.isIntersecting) return
        timer = setTimeout(() => {
          following = wanted.filter((row) => this.#follow(clobUrl, row))
        }, SETTLED_MS)
      })
      observer.observe(element)
      return () => {
        observer.disconnect()
        leave()
      }
    }
  }

  #follow(clobUrl: string, { conditionId, yesToken }: Row): boolean {
    const cards = this.#followed.get(conditionId) ?? 0
    if (cards === 0) {
      if (this.#followed.size >= MOST) return false
      this.#feed ??= new MarketFeed(clobUrl, { onPaints: (paints) => this.#paint(paints) })
      // The No token is not needed, as books are kept in terms of Yes.
      this.#feed.follow({ conditionId, tokens: [yesToken, ''], depth: 1 })
    }
    this.#followed.set(conditionId, cards + 1)
    return true
  }

  #leave({ conditionId }: Row): void {
    const cards = this.#followed.get(conditionId) ?? 0
    if (cards > 1) return void this.#followed.set(conditionId, cards - 1)
    if (!this.#followed.delete(conditionId)) return
    this.#feed?.leave(conditionId)
    this.#left.set(conditionId, this.#traded.get(conditionId) ?? 0)
    if (this.#followed.size === 0) setTimeout(() => this.#close(), SETTLED_MS)
  }

  /** Closes the socket when no card is visible, and drops the quotes, which would become stale. */
  #close(): void {
    if (this.#followed.size > 0) return
    this.#feed?.close()
    this.#feed = undefined
    this.#painted.clear()
  }

  #paint(paints: MarketPaint[]): void {
    for (const { conditionId, book, volume } of paints) {
      if (!this.#followed.has(conditionId)) continue
      this.#painted.set(conditionId, quoteAfter(this.#painted.get(conditionId), quoteOf(book)))
      if (volume > 0) this.#traded.set(conditionId, (this.#left.get(conditionId) ?? 0) + volume)
    }
  }
}

/** The quotes of this page. */
export const liveQuotes = new LiveQuotes()

/** What had been traded when an event was read, which its volume counts. It does not follow what is traded since. */
export const tradedBefore = ({ rows }: { rows: readonly Row[] }): number => untrack(() => liveQuotes.traded(rows))
