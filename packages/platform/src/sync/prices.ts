import { parseLots, parsePrice } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { complement, ONE, type Price } from '@augury/units/price'
import { cost } from '@augury/units/usdc'
import type { Book, Level } from '@augury/wire/book'
import { TOKEN_BATCH } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import { survey, Unusable } from '../jobs/market-batches.ts'
import type { Ask, Job } from '../jobs/run-job.ts'
import { notePrices, settlePrices } from '../prices/price-history.ts'
import { readExactBooks } from './exact-books.ts'
import { type SeenMarket, updateOf, writeMarkets } from './write-markets.ts'

/** Resolved markets per step. */
const SETTLED = 5000

/** A book by column name: prices in steps, the cash behind the visible levels in millionths. */
export interface Seen extends SeenMarket {
  best_bid: Price | null
  best_ask: Price | null
  last_trade: Price | null
  price: number
  liquidity: number
}

/**
 * Keeps prices and liquidity of markets in step with the books, and records each displayed price; the job `charts` fills the minutes
 * between.
 */
export const pricesJob = (exchange: Ask<'getBooks' | 'getPrices'>): Job => ({
  name: 'prices',
  async work(platform, run) {
    const client = await exchange()
    await survey<Seen>(platform, run, {
      batch: TOKEN_BATCH,
      async ask(markets) {
        const books = await readExactBooks(
          client,
          markets.map(({ yesToken }) => yesToken),
        )
        const byToken = new Map(books.map((book) => [book.asset_id, book]))
        return ({ conditionId, yesToken }) => look(conditionId, byToken.get(yesToken))
      },
      write: (em, seen) => writePrices(em, seen, platform.now()),
    })
    if (run.cursor !== null) return
    await run.step(null, async (em) => {
      const settled = await settlePrices(em, platform.now(), SETTLED)
      if (settled > 0) run.count('settled', settled)
    })
  },
})

/** Reads the book of a Yes token. Throws `Unusable` or a `DecimalError`. */
export function look(conditionId: string, book: Book | undefined): Seen {
  if (!book) throw new Unusable('missing in the answer')
  const bids = book.bids.map(toLevel)
  const asks = book.asks.map(toLevel)
  const bid = bids[0]?.price ?? null
  const ask = asks[0]?.price ?? null
  if (bid !== null && ask !== null && bid >= ask) throw new Unusable(`a crossed book: ${bid} and ${ask}`)
  const last = book.last_trade_price === '' ? null : parsePrice(book.last_trade_price)
  const behindBids = bids.reduce((sum, level) => sum + cost(level.price, level.lots), 0)
  // An ask for Yes is a bid for No: it is backed by one USDC minus the price of Yes.
  const behindAsks = asks.reduce((sum, level) => sum + cost(complement(level.price), level.lots), 0)
  return {
    condition_id: conditionId,
    best_bid: bid,
    best_ask: ask,
    last_trade: last,
    price: displayedPrice({ bid, ask, last }) ?? ONE / 2, // of no price, what the column holds from the start; see `PRICED`
    liquidity: behindBids + behindAsks,
  }
}

const toLevel = ({ price, size }: Level) => ({ price: parsePrice(price), lots: parseLots(size) })

/** Writes books that differ from what is stored, and a point of history where the price does. Returns how many markets changed. */
export async function writePrices(em: EntityManager, seen: Seen[], now: Date): Promise<number> {
  const changed = await writeMarkets(em, UPDATE, [JSON.stringify(seen)])
  const quoted = seen.filter(({ best_bid, best_ask, last_trade }) => best_bid !== null || best_ask !== null || last_trade !== null)
  const resolved: { condition_id: string }[] = await em.execute(RESOLVED, [JSON.stringify(quoted.map(({ condition_id }) => condition_id))])
  const over = new Set(resolved.map(({ condition_id }) => condition_id))
  await notePrices(
    em,
    quoted.filter(({ condition_id }) => !over.has(condition_id)).map(({ condition_id, price }) => ({ condition_id, at: now, price })),
  )
  return changed
}

const RESOLVED = 'select condition_id from market where condition_id in (select jsonb_array_elements_text(?::jsonb)) and is_resolved'

const UPDATE = updateOf({ price: 'numeric', best_bid: 'smallint', best_ask: 'smallint', last_trade: 'smallint', liquidity: 'bigint' })
