import { BadAnswerError, NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { within } from '@augury/platform/outbound/within'
import { readExactBooks } from '@augury/platform/sync/exact-books'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import type { Book } from '@augury/wire/book'
import { LOOKUP_BATCH } from '@augury/wire/limits'
import type { ConditionVolume } from '@augury/wire/market'
import { ServiceError } from '@augury/wire/service-error'
import type { ServiceStatus } from '@augury/wire/service-status'
import { type BookView, LEVELS_KEPT, readBook } from '#lib/book/book-view.ts'
import { type Quote, quoteOf } from '#lib/book/quote.ts'
import { readTrade, TRADES_SHOWN, type TradeView } from '#lib/book/trade-view.ts'
import type { EventView, MarketView } from '#lib/event/event-view.ts'
import type { MarketTerms } from '#lib/ticket/ticket.svelte.ts'
import { log } from './log.ts'

/** Data of an expanded market. Null where the exchange did not answer. */
export interface Panel {
  book: BookView | null
  trades: TradeView[] | null
}

/** Returns `fallback` and logs the error if the exchange does not answer, so that pages still render. */
export async function withFallback<T, F>(fallback: F, question: Promise<T>): Promise<T | F> {
  try {
    return await question
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof RefusedError || error instanceof BadAnswerError)) throw error
    log.warn({ error: error.message }, 'the exchange did not answer a page')
    return fallback
  }
}

/** Milliseconds that a page waits for what the exchange knows of its reader: an exchange that hangs must not keep all else from them. */
const PATIENCE_MS = 5_000

/** The answer to a question, if it comes in time for a page. Throws `service_unavailable`. */
export const inTime = <T>(question: Promise<T>): Promise<T> => within(PATIENCE_MS, question, () => new ServiceError('service_unavailable'))

/** A member's data from the exchange; null while it is unavailable. Rethrows other refusals. */
export async function nullIfAway<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await inTime(question)
  } catch (error) {
    const refused = error instanceof ServiceError || error instanceof RefusedError
    if (!refused && !(error instanceof NoAnswerError || error instanceof BadAnswerError)) throw error
    if (refused && error.status < 500 && error.status !== 429) throw error
    log.warn({ error: error.message }, 'the exchange did not answer a page of a member')
    return null
  }
}

/** Milliseconds for which answers are shared between pages; an open page gets changes by its stream anyway. */
const SHARED_MS = 5_000
/** Makes a reader whose answers are shared between pages, by the requested markets. */
function shared<Answer>(read: (exchange: VenueClient, markets: readonly MarketView[]) => Promise<Answer>) {
  const sharedBy = new WeakMap<VenueClient, Map<string, { at: number; answer: Promise<Answer> }>>()
  return (exchange: VenueClient, markets: readonly MarketView[], now: number): Promise<Answer> => {
    const known = sharedBy.get(exchange) ?? new Map<string, { at: number; answer: Promise<Answer> }>()
    sharedBy.set(exchange, known)
    for (const [key, { at }] of known) if (now - at >= SHARED_MS) known.delete(key)
    const key = markets.map(({ conditionId }) => conditionId).join()
    const answer = known.get(key)?.answer ?? read(exchange, markets)
    if (!known.has(key)) known.set(key, { at: now, answer })
    return answer
  }
}
const readBooks = shared<Book[]>((exchange, open) =>
  withFallback(
    [],
    readExactBooks(
      exchange,
      open.map(({ tokens }) => tokens[0]),
    ),
  ),
)
const readVolumes = shared<ConditionVolume[]>((exchange, markets) =>
  withFallback(
    [],
    exchange.getVolumes({ body: { include_24h: true, conditions: markets.map(({ conditionId }) => ({ condition_id: conditionId })) } }),
  ),
)

/** Milliseconds after its end in which the platform counts the last trades of an event. */
const COUNTED_MS = 15 * 60_000

/** The event with what the exchange counts now, as its page goes on from there; with what the platform counted last where that is not known. */
export async function withFigures(exchange: VenueClient, event: EventView, now: number): Promise<EventView> {
  const isCounted = !event.markets.some(({ open }) => open) && now - (event.resolvedAt ?? event.endsAt ?? now) > COUNTED_MS
  if (isCounted || event.markets.length > LOOKUP_BATCH) return event
  const rows = await readVolumes(exchange, event.markets, now)
  const known = new Map(rows.map((row) => [row.condition_id.toLowerCase(), row]))
  const figures = event.markets.map(({ conditionId }) => known.get(conditionId.toLowerCase()))
  if (figures.some((row) => row?.volume === undefined)) return event
  const sum = (of: 'volume' | 'volume_24h' | 'open_interest') => figures.reduce((total, row) => total + Number(row?.[of] ?? 0), 0)
  return {
    ...event,
    volume: sum('volume'),
    volume24h: sum('volume_24h'),
    openInterest: sum('open_interest') + Math.max(0, ...figures.map((row) => Number(row?.event_open_interest ?? 0))),
    markets: event.markets.map((market, i) => ({ ...market, volume: Number(figures[i]!.volume) })),
  }
}

/** The quotes of markets, in order: from their possibly cached books, else from the platform. */
export async function readQuotes(exchange: VenueClient, markets: MarketView[], now: number): Promise<Quote[]> {
  const open = markets.filter((market) => market.open)
  const books = open.length === 0 ? [] : await readBooks(exchange, open, now)
  const byToken = new Map(books.map((book) => [book.asset_id, book]))
  return markets.map(({ tokens, percent, yesAsk, noAsk }) => {
    const book = byToken.get(tokens[0])
    return book ? quoteOf(readBook(book)) : { percent, yesAsk, noAsk }
  })
}

/** The Yes book and the latest trades of a market. */
export async function readPanel(exchange: VenueClient, { conditionId, tokens }: MarketView): Promise<Panel> {
  const [book, trades] = await Promise.all([
    withFallback(null, exchange.getOrderbook({ query: { token_id: tokens[0], depth: LEVELS_KEPT } }).then(readBook)),
    withFallback(
      null,
      exchange.listTrades({ query: { market: conditionId, limit: TRADES_SHOWN } }).then(({ data }) => data.map(readTrade)),
    ),
  ])
  return { book, trades }
}

/** Trading terms of a market; null if the exchange does not answer. */
export async function readTerms(exchange: VenueClient, { conditionId }: MarketView): Promise<MarketTerms | null> {
  const market = await withFallback(null, exchange.getMarket({ params: { condition_id: conditionId } }))
  return market && { feeBps: market.fee_rate_bps, minLots: Math.round(market.minimum_order_size * LOTS_PER_SHARE) }
}

/** Status of the exchange; null if it does not answer. */
export const readStatus = (exchange: VenueClient): Promise<ServiceStatus | null> => withFallback(null, exchange.getStatus())
