import { BadAnswerError, NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
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

/** What an unfolded market shows. Null where the exchange did not answer. */
export interface Panel {
  book: BookView | null
  trades: TradeView[] | null
}

/** A page is made also when the exchange does not answer: then `fallback` stands in, and the log says why. */
export async function orElse<T, F>(fallback: F, question: Promise<T>): Promise<T | F> {
  try {
    return await question
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof RefusedError || error instanceof BadAnswerError)) throw error
    log.warn({ error: error.message }, 'the exchange did not answer a page')
    return fallback
  }
}

/** What a member has, from the exchange; null while that does not answer, or cannot now. What it refuses for another reason is thrown on. */
export async function unlessAway<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question
  } catch (error) {
    const refused = error instanceof ServiceError || error instanceof RefusedError
    if (!refused && !(error instanceof NoAnswerError || error instanceof BadAnswerError)) throw error
    if (refused && error.status < 500 && error.status !== 429) throw error
    log.warn({ error: error.message }, 'the exchange did not answer a page of a member')
    return null
  }
}

/** Milliseconds for which books that one page asked for serve the others: whoever opens a page hears at once what changed since. */
const SHARED_MS = 5_000
/** Books by the markets they were asked for. The exchange lets one address ask a hundred times a minute, and we are one. */
const sharedBy = new WeakMap<VenueClient, Map<string, { at: number; books: Promise<Book[]> }>>()

function readBooks(exchange: VenueClient, open: MarketView[], now: number): Promise<Book[]> {
  const shared = sharedBy.get(exchange) ?? new Map<string, { at: number; books: Promise<Book[]> }>()
  sharedBy.set(exchange, shared)
  for (const [key, { at }] of shared) if (now - at >= SHARED_MS) shared.delete(key)
  const key = open.map(({ conditionId }) => conditionId).join()
  const known = shared.get(key)
  if (known) return known.books
  const books = orElse([], exchange.getBooks({ body: open.map(({ tokens }) => ({ token_id: tokens[0] })) }))
  shared.set(key, { at: now, books })
  return books
}

/** The quotes of markets in their order: as their books are now, or were seconds ago, else as the platform last knew them. */
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
    orElse(null, exchange.getOrderbook({ query: { token_id: tokens[0], depth: LEVELS_KEPT } }).then(readBook)),
    orElse(
      null,
      exchange.listTrades({ query: { market: conditionId, limit: TRADES_SHOWN } }).then(({ data }) => data.map(readTrade)),
    ),
  ])
  return { book, trades }
}

/** What an order in a market has to know besides its book; null when the exchange does not answer. */
export async function readTerms(exchange: VenueClient, { conditionId }: MarketView): Promise<MarketTerms | null> {
  const market = await orElse(null, exchange.getMarket({ params: { condition_id: conditionId } }))
  return market && { feeBps: market.fee_rate_bps, minLots: Math.round(market.minimum_order_size * LOTS_PER_SHARE) }
}

/** How the exchange is doing; null when it does not answer. */
export const readStatus = (exchange: VenueClient): Promise<ServiceStatus | null> => orElse(null, exchange.getStatus())
