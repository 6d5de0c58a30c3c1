import type { VenueClient } from '@augury/client/rest'
import type { Book, Level } from '@augury/wire/book'

/** The tick that is finer than prices of `POST /books`, which are then multiples of 0.001. */
const FINER = '0.0001'

/**
 * Books of Yes or No tokens for what is shown of them. Where ticks are finer than displayed prices the best prices are asked for: a list would show
 * 53.3¢, and a chance of its own, where the book, the ticket and the exchange have 53.25¢.
 */
export async function readExactBooks(
  { getBooks, getPrices }: Pick<VenueClient, 'getBooks' | 'getPrices'>,
  tokens: readonly string[],
): Promise<Book[]> {
  const books = await getBooks({ body: tokens.map((token_id) => ({ token_id })) })
  const fine = books.filter(({ tick_size }) => tick_size === FINER)
  if (fine.length === 0) return books
  const tops = await getPrices({ body: fine.map(({ asset_id }) => ({ token_id: asset_id })) })
  return books.map((book) => {
    const { BUY = null, SELL = null } = tops[book.asset_id] ?? {}
    return { ...book, bids: withBest(book.bids, BUY), asks: withBest(book.asks, SELL) }
  })
}

/** A side with its best price, unless it has none, or had none a moment later. */
const withBest = ([first, ...rest]: Level[], price: string | null): Level[] =>
  first ? [price === null ? first : { ...first, price }, ...rest] : []
