import { SITE_TOPICS } from '@augury/wire/compat-stream'
import type { Catalogue } from '../reference/catalogue.ts'
import type { SiteReader } from '../reference/site-reader.ts'
import { commentView, eventNumbers } from '../views/comment-view.ts'

/** A message of a topic of the site. It is the same object for as long as it is the latest of what it is about. */
export interface SiteMessage {
  topic: string
  type: string
  payload: Readonly<Record<string, unknown>>
}

/** Comments that are read at once, and series. */
const COMMENTS = 50
const SERIES = 20
const CRYPTO = 'crypto'

/** `btc/usd`, `BTCUSD` and `btcusdt` mean the same series. */
export const plainSymbol = (symbol: string): string =>
  symbol
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/usdt$/, 'usd')

/** Reads what is new on the site for subscribers of its topics: while there are any, once for all. */
export class SiteTopics {
  readonly #site: SiteReader
  readonly #catalogue: Pick<Catalogue, 'index'>
  readonly #now: () => number
  readonly #prices = new Map<string, SiteMessage>()
  /** Ids of the comments that were there at the last look; null without subscribers. */
  #known: ReadonlySet<string> | null = null

  constructor(site: SiteReader, catalogue: Pick<Catalogue, 'index'>, now: () => number) {
    this.#site = site
    this.#catalogue = catalogue
    this.#now = now
  }

  /** Reads what the topics need, and returns the latest prices and the new comments. */
  async read(topics: ReadonlySet<string>): Promise<SiteMessage[]> {
    const wantsPrices = Object.keys(SITE_TOPICS).some((topic) => topic !== 'comments' && topics.has(topic))
    if (!topics.has('comments')) this.#known = null
    const [prices, comments] = await Promise.all([
      wantsPrices ? this.#readPrices() : [],
      topics.has('comments') ? this.#readComments() : [],
    ])
    return [...prices, ...comments]
  }

  async #readPrices(): Promise<SiteMessage[]> {
    const now = this.#now()
    const { events } = await this.#catalogue.index()
    const windows = new Map<string, (typeof events)[number]>()
    for (const event of events) {
      if (event.series === null || event.endsAt <= now) continue
      const known = windows.get(event.series.slug)
      if (!known || event.endsAt < known.endsAt) windows.set(event.series.slug, event)
    }
    const read = [...windows].slice(0, SERIES).map(async ([series, { endsAt, tags }]) => {
      const price = await this.#site.price(series, endsAt)
      if (!price) return []
      const symbol = price.instrument.toLowerCase()
      if (!tags.some(({ slug }) => slug === CRYPTO)) return [this.#latest('equity_prices', symbol.replace(/\/usd$/, ''), price)]
      const short = symbol.replaceAll('/', '').replace(/usd$/, 'usdt')
      return [this.#latest('crypto_prices', short, price), this.#latest('crypto_prices_chainlink', symbol, price)]
    })
    return (await Promise.all(read)).flat()
  }

  #latest(topic: string, symbol: string, { value, at }: { value: number; at: number }): SiteMessage {
    const key = `${topic} ${symbol}`
    const known = this.#prices.get(key)
    if (known && known.payload.value === value && known.payload.timestamp === at) return known
    const message = { topic, type: 'update', payload: { symbol, timestamp: at, value } }
    this.#prices.set(key, message)
    return message
  }

  async #readComments(): Promise<SiteMessage[]> {
    const rows = await this.#site.comments({ limit: COMMENTS })
    const before = this.#known
    this.#known = new Set(rows.map(({ id }) => id))
    if (before === null) return []
    const numbers = eventNumbers(await this.#catalogue.index())
    return rows
      .filter(({ id }) => !before.has(id))
      .toReversed()
      .flatMap((row) => commentView(row, numbers) ?? [])
      .map((payload) => ({ topic: 'comments', type: 'comment_created', payload }))
  }
}
