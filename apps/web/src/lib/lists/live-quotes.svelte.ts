import { SvelteMap } from 'svelte/reactivity'
import { MarketFeed, type MarketPaint } from '#lib/book/market-feed.ts'
import { type Quote, quoteAfter, quoteOf } from '#lib/book/quote.ts'
import type { MarketRow } from './event-card.ts'

/** How long a card has to be in sight before its markets are followed: whoever scrolls by asks for nothing. */
const SETTLED_MS = 400
/** Markets followed at once, well under what one socket may follow. */
const MOST = 120

type Row = Pick<MarketRow, 'conditionId' | 'yesToken' | 'result'>

/** What the cards in sight say of their markets, as the exchange streams it: one socket of a page for all of them. */
class LiveQuotes {
  readonly #painted = new SvelteMap<string, Quote>()
  /** By how many cards a market is followed. */
  readonly #followed = new Map<string, number>()
  #feed: MarketFeed | undefined

  /** A market as it is now: as heard, else as the page was made with it. */
  quote<Given extends Quote & Row>(row: Given): Quote {
    const heard = this.#painted.get(row.conditionId)
    return heard ? quoteAfter(row, heard) : row
  }

  /** Follows the markets of an element while it is in sight. To be attached to it. */
  watch(clobUrl: string, rows: readonly Row[]): (element: Element) => () => void {
    // A draft has no market yet.
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
      // The token of No is not asked for: a book is kept from the side of Yes.
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
    if (this.#followed.size === 0) setTimeout(() => this.#close(), SETTLED_MS)
  }

  /** Once no card is in sight: another page has begun. What was heard is forgotten with the socket, for it would grow old. */
  #close(): void {
    if (this.#followed.size > 0) return
    this.#feed?.close()
    this.#feed = undefined
    this.#painted.clear()
  }

  #paint(paints: MarketPaint[]): void {
    for (const { conditionId, book } of paints) {
      if (this.#followed.has(conditionId)) this.#painted.set(conditionId, quoteAfter(this.#painted.get(conditionId), quoteOf(book)))
    }
  }
}

/** The quotes of this page. */
export const liveQuotes = new LiveQuotes()
