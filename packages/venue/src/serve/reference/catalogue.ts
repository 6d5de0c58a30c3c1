import { crc32 } from 'node:zlib'
import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import type { Clause } from '@augury/search/read-search'
import { ONE } from '@augury/units/price'
import { BOOK_LEVELS } from '@augury/wire/limits'
import { inTurns } from '../../base/in-turns.ts'
import type { Venue } from '../../record/venue.ts'
import { isHidden, type MarketRecord, type Markets } from './markets.ts'
import { SearchedEvents } from './searched-events.ts'

/** What markets and events are found and ordered by. Times in milliseconds. */
interface Dated {
  number: number
  createdAt: number
  updatedAt: number
  startsAt: number
  endsAt: number
}
/** A market, and the event that it is in. */
export interface ListedMarket extends Dated {
  market: MarketRecord
  event: ListedEvent
}
/** Markets of one creator that name the same event; the first of them gives it its number and texts. */
export interface ListedEvent extends Dated {
  slug: string
  markets: ListedMarket[]
  tags: readonly { number: number; slug: string; name: string }[]
  series: { number: number; slug: string } | null
}

/** Sums of a market or an event, in millionths. */
export interface Totals {
  volume: number
  volume24h: number
  openInterest: number
  /** The cash behind the first levels of the book. */
  liquidity: number
}

/** All markets and events in order of registration, and what they name, by slug. */
interface Index {
  markets: readonly ListedMarket[]
  events: readonly ListedEvent[]
  tags: ListedEvent['tags']
  series: readonly NonNullable<ListedEvent['series']>[]
}

const RENEWED_MS = 15_000
/** Making sums takes at most this part of the time. */
const BUSY = 1 / 20
/** Books that are read in one turn of the event loop, and markets that are put into their events. */
const BOOKS_AT_ONCE = 250
const MARKETS_AT_ONCE = 1000
const NOTHING: Totals = { volume: 0, volume24h: 0, openInterest: 0, liquidity: 0 }

/** The number of a tag or a series, which have only names here. Names that share one are found together. */
const numberOfName = (slug: string): number => crc32(slug) >>> 1

/** What the catalogue is made from. */
interface Source {
  markets: Markets
  exchange: Exchange
  venue: Pick<Venue, 'now' | 'readModel'>
}

/** The markets of an exchange grouped into events, and their sums, which are seconds old: making them reads all markets. */
export class Catalogue {
  readonly #source: Source
  readonly #searched = new SearchedEvents()
  #index: { version: number; made: Promise<Index> } | null = null
  #sums: { until: number; of: Promise<ReadonlyMap<Hex, Totals>> } | null = null

  constructor(source: Source) {
    this.#source = source
  }

  /** Made anew when a market was registered or changed. Names markets that the engine may not have yet. */
  index(): Promise<Index> {
    const { markets } = this.#source
    if (this.#index?.version !== markets.version) this.#index = { version: markets.version, made: indexOf(markets.page(0, markets.count)) }
    return this.#index.made
  }

  /** Events that a search finds, with how well: the best is 0. */
  async find(clauses: readonly Clause[]): Promise<{ row: ListedEvent; rank: number }[]> {
    return this.#searched.find((await this.index()).events, clauses)
  }

  /** The sums of a market by its condition. */
  async sums(): Promise<(condition: Hex) => Totals> {
    if (!this.#sums || this.#source.venue.now() >= this.#sums.until) this.#sums = this.#makeSums()
    const sums = await this.#sums.of
    return (condition) => sums.get(condition) ?? NOTHING
  }

  /** Conditions of the markets of some events, by the numbers of those. */
  async conditionsOf(numbers: readonly string[]): Promise<Hex[]> {
    const { events } = await this.index()
    return events
      .filter(({ number }) => numbers.includes(String(number)))
      .flatMap(({ markets }) => markets.map(({ market }) => market.condition))
  }

  #makeSums() {
    const { venue } = this.#source
    const began = venue.now()
    const made = { until: Number.POSITIVE_INFINITY, of: sumsOf(this.#source) }
    made.of.then(
      () => {
        made.until = began + Math.max(RENEWED_MS, (venue.now() - began) / BUSY)
      },
      () => {
        this.#sums = null
      },
    )
    return made
  }
}

/** Adds up sums. */
export const added = (all: readonly Totals[]): Totals =>
  all.reduce(
    (sum, each) => ({
      volume: sum.volume + each.volume,
      volume24h: sum.volume24h + each.volume24h,
      openInterest: sum.openInterest + each.openInterest,
      liquidity: sum.liquidity + each.liquidity,
    }),
    NOTHING,
  )

async function indexOf(records: readonly MarketRecord[]): Promise<Index> {
  const events = new Map<string, ListedEvent>()
  const inOrder = records.filter((market) => !isHidden(market)).toSorted((a, b) => a.number - b.number)
  const markets = await inTurns(inOrder, MARKETS_AT_ONCE, (market): ListedMarket => {
    const key = `${market.creator} ${market.metadata.event.slug}`
    const event = events.get(key) ?? newEvent(market)
    events.set(key, event)
    const listed = { market, event, ...datesOf(market) }
    event.markets.push(listed)
    event.updatedAt = Math.max(event.updatedAt, listed.updatedAt)
    if (event.markets[0]!.market.metadata.event.end_date === null) event.endsAt = Math.max(event.endsAt, listed.endsAt)
    return listed
  })
  const all = [...events.values()]
  return {
    markets,
    events: all,
    tags: eachOnce(all.flatMap(({ tags }) => tags)),
    series: eachOnce(all.flatMap(({ series }) => series ?? [])),
  }
}

/** What events name, each once, by slug. */
function eachOnce<Named extends { slug: string }>(named: readonly Named[]): Named[] {
  const bySlug = new Map(named.map((each) => [each.slug, each]))
  return [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
}

function newEvent(first: MarketRecord): ListedEvent {
  const { event } = first.metadata
  const dates = datesOf(first)
  return {
    ...dates,
    endsAt: event.end_date === null ? dates.endsAt : Date.parse(event.end_date),
    slug: event.slug,
    markets: [],
    tags: event.tags.map(({ slug, name }) => ({ number: numberOfName(slug), slug, name })),
    series: event.series_slug ? { number: numberOfName(event.series_slug), slug: event.series_slug } : null,
  }
}

function datesOf({ number, createdAt, updatedAt, endTime, metadata }: MarketRecord): Dated {
  const created = Date.parse(createdAt)
  const start = metadata.event.start_date
  return {
    number,
    createdAt: created,
    updatedAt: Date.parse(updatedAt),
    startsAt: start === null ? created : Date.parse(start),
    endsAt: Date.parse(endTime),
  }
}

async function sumsOf({ markets, exchange, venue }: Source): Promise<Map<Hex, Totals>> {
  const conditions = markets.page(0, markets.count).map(({ condition }) => condition)
  const stats = await venue.readModel.stats(conditions, venue.now())
  const sums = await inTurns([...stats], BOOKS_AT_ONCE, ([condition, { volume, volume24h, openInterest }]) => {
    const { bids, asks } = exchange.depth(condition, 0, BOOK_LEVELS)
    // An ask for Yes is a bid for No: it is backed by one USDC minus the price of Yes.
    const liquidity =
      bids.reduce((sum, [price, lots]) => sum + price * lots, 0) + asks.reduce((sum, [price, lots]) => sum + (ONE - price) * lots, 0)
    return [condition, { volume, volume24h, openInterest, liquidity }] as const
  })
  return new Map(sums)
}
