import type { VenueClient } from '@augury/client/rest'
import { parseLots, parsePrice } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { complement, type Price } from '@augury/units/price'
import { cost } from '@augury/units/usdc'
import type { Book, Level } from '@augury/wire/book'
import type { EntityManager } from '@mikro-orm/postgresql'
import { refreshEventTotals } from '../events/event-totals.ts'
import { LOCKED, survey, Unusable } from './market-batches.ts'
import type { Job } from './run-job.ts'

/** Books in one question to the exchange. */
const BATCH = 100

/** A book under the names of the columns: prices in steps, the cash behind the shown levels in millionths. */
interface Seen {
  condition_id: string
  best_bid: Price | null
  best_ask: Price | null
  last_trade: Price | null
  price: number
  liquidity: number
}

/** Keeps prices and liquidity of markets true to the books, and notes how the displayed price of each went, minute by minute. */
export const pricesJob = (exchange: Pick<VenueClient, 'getBooks'>): Job => ({
  name: 'prices',
  work: (platform, run) =>
    survey<Seen>(platform, run, {
      batch: BATCH,
      async ask(markets) {
        const books = await exchange.getBooks({ body: markets.map(({ yesToken }) => ({ token_id: yesToken })) })
        const byToken = new Map(books.map((book) => [book.asset_id, book]))
        return ({ conditionId, yesToken }) => look(conditionId, byToken.get(yesToken))
      },
      write: (em, seen) => write(em, seen, platform.now()),
    }),
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
  // An ask for Yes is a bid for No: what backs it is what Yes leaves of one USDC.
  const behindAsks = asks.reduce((sum, level) => sum + cost(complement(level.price), level.lots), 0)
  return {
    condition_id: conditionId,
    best_bid: bid,
    best_ask: ask,
    last_trade: last,
    price: displayedPrice({ bid, ask, last }),
    liquidity: behindBids + behindAsks,
  }
}

const toLevel = ({ price, size }: Level) => ({ price: parsePrice(price), lots: parseLots(size) })

async function write(em: EntityManager, seen: Seen[], now: Date): Promise<number> {
  const changed: { event_id: string }[] = await em.execute(UPDATE, [JSON.stringify(seen)])
  const quoted = seen.filter(({ best_bid, best_ask, last_trade }) => best_bid !== null || best_ask !== null || last_trade !== null)
  await em.execute(NOTE, [now, JSON.stringify(quoted)])
  await refreshEventTotals(
    em,
    changed.map(({ event_id }) => event_id),
  )
  return changed.length
}

const UPDATE = `
  with seen as (
    select * from jsonb_to_recordset(?::jsonb)
      as seen (condition_id text, price numeric, best_bid smallint, best_ask smallint, last_trade smallint, liquidity bigint)
  ), ${LOCKED}
  update market set price = seen.price, best_bid = seen.best_bid, best_ask = seen.best_ask, last_trade = seen.last_trade,
    liquidity = seen.liquidity, updated_at = now()
  from seen join locked using (condition_id)
  where market.condition_id = seen.condition_id
    and (market.price, market.best_bid, market.best_ask, market.last_trade, market.liquidity)
      is distinct from (seen.price, seen.best_bid, seen.best_ask, seen.last_trade, seen.liquidity)
  returning event_id`

// A market without a quote has no price to remember, and one that stands still needs no second point.
const NOTE = `
  insert into price_point (market_condition_id, minute, price)
  select seen.condition_id, date_trunc('minute', ?::timestamptz, 'UTC'), seen.price
  from jsonb_to_recordset(?::jsonb) as seen (condition_id text, price numeric)
  left join lateral (
    select price from price_point where market_condition_id = seen.condition_id order by minute desc limit 1
  ) before on true
  where before.price is distinct from seen.price
  on conflict (market_condition_id, minute) do update set price = excluded.price`
