import { BadAnswerError, NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { readExactBooks } from '@augury/platform/sync/exact-books'
import { within } from '@augury/platform/within'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import type { Book } from '@augury/wire/book'
import { ServiceError } from '@augury/wire/service-error'
import type { ServiceStatus } from '@augury/wire/service-status'
import { type BookView, LEVELS_KEPT, readBook } from '#lib/book/book-view.ts'
import { type Quote, quoteOf } from '#lib/book/quote.ts'
import { readTrade, TRADES_SHOWN, type TradeView } from '#lib/book/trade-view.ts'
import type { MarketView } from '#lib/event/event-view.ts'
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

/** Milliseconds for which books are shared between pages; an open page gets changes by its stream anyway. */
const SHARED_MS = 5_000
/** Cached books, by the requested markets. */
const sharedBy = new WeakMap<VenueClient, Map<string, { at: number; books: Promise<Book[]> }>>()

function readBooks(exchange: VenueClient, open: MarketView[], now: number): Promise<Book[]> {
  const shared = sharedBy.get(exchange) ?? new Map<string, { at: number; books: Promise<Book[]> }>()
  sharedBy.set(exchange, shared)
  for (const [key, { at }] of shared) if (now - at >= SHARED_MS) shared.delete(key)
  const key = open.map(({ conditionId }) => conditionId).join()
  const cached = shared.get(key)
  if (cached) return cached.books
  const asked = readExactBooks(
    exchange,
    open.map(({ tokens }) => tokens[0]),
  )
  const books = withFallback([], asked)
  shared.set(key, { at: now, books })
  return books
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
