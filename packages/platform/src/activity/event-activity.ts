import { parseLots, parseUsdc } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import type { Input } from '@augury/wire/operation'
import { ACTIVITY_DEPTH, type ActivityItem, type activityOperations } from '@augury/wire/platform/activity'
import { ServiceError } from '@augury/wire/service-error'
import type { PublicTrade } from '@augury/wire/trade'
import type { Site } from '../site.ts'
import { asRefusal } from '../trading/exchange-refusals.ts'
import { loadPeople } from './people.ts'

/** The latest trades of some markets, newest first. Throws `missing_market`. */
export async function eventActivity(
  site: Site,
  { query }: Pick<Input<typeof activityOperations.eventActivity>, 'query'>,
): Promise<ActivityItem[]> {
  const { market, limit, offset, filterAmount } = query
  const markets = [...new Set(market.map((id) => id.toLowerCase()))]
  if (markets.length === 0) throw new ServiceError('missing_market')
  const needed = Math.min(offset + limit, ACTIVITY_DEPTH)
  if (offset >= needed) return []
  const read = async (id: string, most: number) =>
    (await site.exchange.anybody.listTrades({ query: { market: id, limit: most, min_usdc: filterAmount } })).data
  const newest = await newestTrades(markets, needed, read).catch((error) => {
    throw asRefusal(error, false)
  })
  const page = newest.slice(offset)
  const person = await loadPeople(
    site,
    page.map(({ taker_address }) => taker_address),
  )
  const icons = await iconsOf(site, markets)
  return page.map((trade) => view(trade, person(trade.taker_address), icons.get(trade.market) ?? ''))
}

/**
 * The newest `count` trades of several markets. Each is read for its share and a few more at first, and again for more while all that was
 * read of it is among the newest: reading `count` of every market would be many times what anybody is shown.
 */
export async function newestTrades<Trade extends { seq: number }>(
  markets: readonly string[],
  count: number,
  read: (market: string, most: number) => Promise<readonly Trade[]>,
): Promise<Trade[]> {
  const share = Math.min(Math.ceil(count / markets.length) + 10, count)
  const known = new Map<string, { asked: number; trades: readonly Trade[] }>()
  let asking = markets
  for (;;) {
    await Promise.all(
      asking.map(async (market) => {
        const before = known.get(market)?.asked
        const asked = before === undefined ? share : Math.min(4 * before, count)
        known.set(market, { asked, trades: await read(market, asked) })
      }),
    )
    // The sort is stable: trades of one order keep the order of the exchange, last first.
    const newest = [...known.values()].flatMap(({ trades }) => trades).sort((one, other) => other.seq - one.seq)
    const oldest = newest[count - 1]?.seq ?? 0
    asking = markets.filter((market) => {
      const { asked, trades } = known.get(market)!
      return asked < count && trades.length === asked && trades.at(-1)!.seq >= oldest
    })
    if (asking.length === 0) return newest.slice(0, count)
  }
}

async function iconsOf(site: Site, conditionIds: readonly string[]): Promise<Map<string, string>> {
  const rows: { condition_id: string; icon_url: string }[] = await site
    .em()
    .execute('select condition_id, icon_url from market where condition_id in (select value from jsonb_array_elements_text(?::jsonb))', [
      JSON.stringify(conditionIds),
    ])
  return new Map(rows.map(({ condition_id, icon_url }) => [condition_id, icon_url]))
}

function view(
  trade: PublicTrade,
  { proxy_wallet_address: _, ...user }: ReturnType<Awaited<ReturnType<typeof loadPeople>>>,
  icon: string,
): ActivityItem {
  return {
    id: trade.id,
    type: 'trade',
    user,
    side: trade.side === 'BUY' ? 'buy' : 'sell',
    amount: String(parseLots(trade.size) * MICROS_PER_LOT),
    price: trade.price,
    outcome: { index: trade.outcome_index, text: trade.outcome },
    market: { condition_id: trade.market, title: trade.title, slug: trade.slug, icon_url: icon, event: { slug: trade.event_slug } },
    total_value: String(parseUsdc(trade.usdc_size)),
    created_at: new Date(trade.timestamp * 1000).toISOString(),
    status: 'completed',
    tx_hash: trade.transaction_hash,
  }
}
