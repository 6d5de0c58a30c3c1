import { parseDecimal, parsePrice } from '@augury/units/decimal'
import { complement } from '@augury/units/price'
import type { Book, Level } from '@augury/wire/book'
import { TOKEN_BATCH } from '@augury/wire/limits'
import { survey, Unusable } from '../jobs/market-batches.ts'
import type { Ask, Job } from '../jobs/run-job.ts'
import { readExactBooks } from './exact-books.ts'
import { look, type Seen, writePrices } from './prices.ts'
import { updateOf, writeMarkets } from './write-markets.ts'

/** A market as both of its books describe it. */
interface Compared extends Seen {
  grid: number
  min_lots: number
}

/**
 * Compares markets with the books of both tokens: that there are books, that they mirror each other, and that prices, tick and minimum size
 * match. Corrects our rows; reports what it cannot correct.
 */
export const booksJob = (exchange: Ask<'getBooks' | 'getPrices'>): Job => ({
  name: 'books',
  async work(platform, run) {
    const client = await exchange()
    await survey<Compared>(platform, run, {
      batch: TOKEN_BATCH / 2,
      async ask(markets) {
        const books = await readExactBooks(
          client,
          markets.flatMap(({ yesToken, noToken }) => [yesToken, noToken]),
        )
        const byToken = new Map(books.map((book) => [book.asset_id, book]))
        return ({ conditionId, yesToken, noToken }) => compare(conditionId, byToken.get(yesToken), byToken.get(noToken))
      },
      async write(em, compared) {
        const terms = compared.map(({ condition_id, grid, min_lots }) => ({ condition_id, grid, min_lots }))
        const changed = await writeMarkets(em, TERMS, [JSON.stringify(terms)])
        if (changed > 0) run.count('terms', changed)
        return writePrices(em, compared, platform.now())
      },
    })
  },
})

const TERMS = updateOf({ grid: 'smallint', min_lots: 'int' })

/** Reads both books of a market. Throws `Unusable` or a `DecimalError`. */
export function compare(conditionId: string, yes: Book | undefined, no: Book | undefined): Compared {
  const seen = look(conditionId, yes)
  if (!yes || !no) throw new Unusable('the book of No is missing')
  for (const book of [yes, no]) if (book.market.toLowerCase() !== conditionId) throw new Unusable(`its token belongs to ${book.market}`)
  if (!mirrors(yes.bids, no.asks) || !mirrors(no.bids, yes.asks)) throw new Unusable('the books of Yes and No do not mirror each other')
  return { ...seen, grid: parsePrice(yes.tick_size), min_lots: parseDecimal(yes.min_order_size, 2) }
}

/** Whether asks of one token are bids of the other, level by level. */
const mirrors = (bids: readonly Level[], asks: readonly Level[]): boolean =>
  bids.length === asks.length &&
  bids.every(({ price, size }, index) => size === asks[index]!.size && complement(parsePrice(price)) === parsePrice(asks[index]!.price))
