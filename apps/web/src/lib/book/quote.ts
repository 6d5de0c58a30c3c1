import { ONE } from '@augury/units/price'
import { type BookView, chanceOf } from './book-view.ts'

/** A market's figures in a row: chance in percent (null without prices), and the best asks of both outcomes in steps (null if none). */
export interface Quote {
  percent: number | null
  yesAsk: number | null
  noAsk: number | null
}

/**
 * The quote after a change of the book. Returns the known object if nothing changed, so that nothing is rendered again. A book that is empty for a
 * moment, as while orders are replaced, keeps the known chance.
 */
export function quoteAfter(known: Quote | undefined, fresh: Quote): Quote {
  if (!known) return fresh
  const percent = fresh.percent ?? known.percent
  const isSame = known.percent === percent && known.yesAsk === fresh.yesAsk && known.noAsk === fresh.noAsk
  return isSame ? known : { ...fresh, percent }
}

/** The quote of a Yes book; its bids are asks for No. */
export function quoteOf(book: BookView): Quote {
  const bid = book.bids[0]?.price
  return { percent: chanceOf(book), yesAsk: book.asks[0]?.price ?? null, noAsk: bid === undefined ? null : ONE - bid }
}
