import { ONE } from '@augury/units/price'
import { type BookView, chanceOf } from './book-view.ts'

/** What a row shows of a market: chance in percent (null while nobody has named a price), best offers of its outcomes in steps (null without one). */
export interface Quote {
  percent: number | null
  yesAsk: number | null
  noAsk: number | null
}

/**
 * The quote after a change of the book. Where it says the same, it is the one that was known, so that nothing is painted anew. A book that is
 * empty for a moment, as while its offers are replaced, takes no known chance away.
 */
export function quoteAfter(known: Quote | undefined, fresh: Quote): Quote {
  if (!known) return fresh
  const percent = fresh.percent ?? known.percent
  const isSame = known.percent === percent && known.yesAsk === fresh.yesAsk && known.noAsk === fresh.noAsk
  return isSame ? known : { ...fresh, percent }
}

/** The quote that a Yes book makes: who bids for Yes offers No for the rest of one USDC. */
export function quoteOf(book: BookView): Quote {
  const bid = book.bids[0]?.price
  const silent = bid === undefined && book.asks.length === 0 && book.last === null
  return { percent: silent ? null : chanceOf(book), yesAsk: book.asks[0]?.price ?? null, noAsk: bid === undefined ? null : ONE - bid }
}
