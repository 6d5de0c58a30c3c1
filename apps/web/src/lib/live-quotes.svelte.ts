import type { LiveBook } from '@augury/client/live-book'
import type { MarketStream } from '@augury/client/stream'
import type { MarketRow } from './event-card.ts'
import { LiveMarket } from './live-market.ts'
import { PaintClock } from './paint-clock.ts'
import { type Quote, quoteOf } from './quote.ts'

/** How long a card has to be in sight before its markets are followed: whoever scrolls by asks for nothing. */
const SETTLED_MS = 400
/** Markets followed at once, well under what one socket may follow. */
const MOST = 120

type Row = Pick<MarketRow, 'conditionId' | 'yesToken' | 'result'>

/** What the cards in sight say of their markets, as the exchange streams it: one socket of a page for all of them. */
class LiveQuotes {
  #painted = $state.raw<ReadonlyMap<string, Quote>>(new Map())
  readonly #followed = new Map<string, { count: number; market: LiveMarket; stop: () => void }>()
  readonly #heard = new Map<string, LiveBook>()
  readonly #clock = new PaintClock(() => this.#paint())
  #stream: Promise<MarketStream> | undefined

  /** A market as it is now: as heard, else as the page was made with it. */
  quote<Given extends Quote & Row>(row: Given): Quote {
    return this.#painted.get(row.conditionId) ?? row
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
    const known = this.#followed.get(conditionId)
    if (known) known.count++
    if (known || this.#followed.size >= MOST) return known !== undefined
    const market = new LiveMarket(yesToken)
    const followed = { count: 1, market, stop: () => {} }
    this.#followed.set(conditionId, followed)
    void this.#open(clobUrl).then((stream) => {
      if (this.#followed.get(conditionId) !== followed) return
      // The token of No is not asked for: a book is kept from the side of Yes.
      const tokens = [{ token_id: yesToken }, { token_id: '' }]
      followed.stop = stream.follow({ condition_id: conditionId, tokens }, (book, message) => {
        market.hear(message)
        this.#heard.set(conditionId, book)
        this.#clock.heard()
      })
    })
    return true
  }

  #leave({ conditionId }: Row): void {
    const followed = this.#followed.get(conditionId)
    if (!followed || --followed.count > 0) return
    followed.stop()
    this.#followed.delete(conditionId)
    this.#heard.delete(conditionId)
    if (this.#followed.size === 0) setTimeout(() => this.#close(), SETTLED_MS)
  }

  /** What reads the stream is as large as a page: it comes when a page has been in sight for a while. */
  #open(clobUrl: string): Promise<MarketStream> {
    this.#stream ??= import('@augury/client/stream').then(({ MarketStream, marketStreamUrl }) => {
      this.#clock.start()
      return new MarketStream({ url: marketStreamUrl(clobUrl) })
    })
    return this.#stream
  }

  /** Once no card is in sight: another page has begun. What was heard is forgotten with the socket, for it would grow old. */
  #close(): void {
    if (this.#followed.size > 0) return
    void this.#stream?.then((stream) => stream.close())
    this.#stream = undefined
    this.#clock.stop()
    this.#painted = new Map()
  }

  #paint(): void {
    const painted = new Map(this.#painted)
    for (const [id, book] of this.#heard) {
      const view = this.#followed.get(id)?.market.view(book)
      if (view) painted.set(id, quoteOf(view))
    }
    this.#heard.clear()
    this.#painted = painted
  }
}

/** The quotes of this page. */
export const liveQuotes = new LiveQuotes()
