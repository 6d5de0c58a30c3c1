import { tables } from '@augury/domain/platform/tables'
import { parseLots, parseUsdc } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import { LAST_CURSOR, TRADED_MARKETS } from '@augury/wire/limits'
import type { Input } from '@augury/wire/operation'
import { ACTIVITY_DEPTH, type ActivityItem, type activityOperations } from '@augury/wire/platform/activity'
import { ServiceError } from '@augury/wire/service-error'
import type { PublicTrade } from '@augury/wire/trade'
import { loadPeople } from '../account/people.ts'
import type { Viewer } from '../authorization/viewer.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import { type MarketPictures, picturesOfMarkets } from '../pictures/market-pictures.ts'
import { pictureOfEvent } from '../pictures/pictures.ts'
import type { Site } from '../site/site.ts'
import { hiddenFrom } from './hidden-from.ts'

/** Pages that are read of a list: where hardly any trade is large enough, most are short. */
const PAGES = 10

/**
 * The latest trades of an event, or of some markets, newest first. Those of hidden events only for whom these are not hidden. Throws
 * `missing_market`.
 */
export async function eventActivity(
  site: Site,
  viewer: Viewer,
  { query }: Pick<Input<typeof activityOperations.eventActivity>, 'query'>,
): Promise<ActivityItem[]> {
  const { event, market, limit, offset, filterAmount } = query
  if (!event && market.length === 0) throw new ServiceError('missing_market')
  const needed = Math.min(offset + limit, ACTIVITY_DEPTH)
  if (offset >= needed) return []
  const hidden = await hiddenFrom(site, viewer, event ? { event } : { markets: market })
  const markets = (event ? await marketsOf(site, event) : [...new Set(market)]).filter((id) => !hidden.has(id.toLowerCase()))
  const newest = await newestTrades(site, markets, needed, filterAmount).catch((error) => {
    throw asRefusal(error, false)
  })
  const page = newest.slice(offset)
  const person = await loadPeople(
    site,
    page.map(({ taker_address }) => taker_address),
  )
  const pictures = await picturesOfMarkets(
    site,
    page.map((trade) => trade.market),
  )
  return page.map((trade) => view(trade, person(trade.taker_address), pictures.get(trade.market.toLowerCase())))
}

async function marketsOf(site: Site, event: string): Promise<string[]> {
  const rows = await tables(site.em())
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select('condition_id')
    .where('event.slug', '=', event)
    .execute()
  return rows.map(({ condition_id }) => condition_id)
}

/** The newest `count` trades of several markets, of which the exchange is asked for as many at once as it takes. */
async function newestTrades(site: Site, markets: string[], count: number, min_usdc: string | undefined): Promise<PublicTrade[]> {
  const parts = Array.from({ length: Math.ceil(markets.length / TRADED_MARKETS) }, (_, n) =>
    markets.slice(n * TRADED_MARKETS, (n + 1) * TRADED_MARKETS),
  )
  const read = async (market: string[]) => {
    const found: PublicTrade[] = []
    let next_cursor: string | undefined
    for (let page = 0; page < PAGES && found.length < count && next_cursor !== LAST_CURSOR; page++) {
      const { listTrades } = site.exchange.anybody
      const answer = await listTrades({ query: { market, limit: count - found.length, min_usdc, next_cursor } })
      found.push(...answer.data)
      next_cursor = answer.next_cursor
    }
    return found
  }
  // The sort is stable: trades of one order keep the order of the exchange, last first.
  return (await Promise.all(parts.map(read)))
    .flat()
    .sort((one, other) => other.seq - one.seq)
    .slice(0, count)
}

function view(
  trade: PublicTrade,
  { proxy_wallet_address: _, ...user }: ReturnType<Awaited<ReturnType<typeof loadPeople>>>,
  pictures: MarketPictures | undefined,
): ActivityItem {
  return {
    id: trade.id,
    type: 'trade',
    user,
    side: trade.side === 'BUY' ? 'buy' : 'sell',
    amount: String(parseLots(trade.size) * MICROS_PER_LOT),
    price: trade.price,
    outcome: { index: trade.outcome_index, text: trade.outcome },
    market: {
      condition_id: trade.market,
      title: trade.title,
      slug: trade.slug,
      icon_url: pictures?.icon ?? '',
      picture: pictures?.market ?? pictureOfEvent({ title: trade.title, icon_url: '', tags: [] }),
      event: { slug: trade.event_slug },
    },
    total_value: String(parseUsdc(trade.usdc_size)),
    created_at: new Date(trade.timestamp * 1000).toISOString(),
    status: 'completed',
    tx_hash: trade.transaction_hash,
  }
}
