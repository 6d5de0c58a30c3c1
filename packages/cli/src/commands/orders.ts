import { pages } from '@augury/client/pages'
import type { Answer, VenueClient } from '@augury/client/rest'
import type { Command } from '../command.ts'
import { misuse } from '../failure.ts'
import { findMarket } from '../find-market.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { table } from '../table.ts'

type Order = Answer<'getOrder'>

/** Lists the caller's orders. */
export const orders: Command = {
  usage: 'ID | [--market MARKET]',
  about: 'Your open orders, or one order of yours, open or ended.',
  flags: { market: { value: 'MARKET', about: 'Only those of a market.' } },
  words: [0, 1],
  async run(session, { words: [id], flag }) {
    if (id !== undefined && flag('market') !== undefined) throw misuse('give an id or --market')
    const client = await session.trader()
    if (id !== undefined) {
      const one = await client.getOrder({ params: { id } })
      const slugs = session.json ? new Map() : await slugsOf(client, [one])
      return session.show(one, () => draw([one], slugs))
    }
    const name = flag('market')
    const market = name === undefined ? undefined : (await findMarket(client, name)).market.condition_id
    const all: Order[] = []
    for await (const one of pages((next_cursor) => client.listOrders({ query: { market, next_cursor } }))) all.push(one)
    const slugs = session.json ? new Map() : await slugsOf(client, all)
    session.show(all, () => draw(all, slugs))
  },
}

/** Slugs of the orders' markets by condition id, as other commands take them. */
async function slugsOf(client: VenueClient, list: readonly Order[]): Promise<Map<string, string>> {
  const ids = [...new Set(list.map(({ market }) => market))]
  const markets = await mapConcurrently(ids, (condition_id) => client.getMarket({ params: { condition_id } }))
  return new Map(markets.map(({ condition_id, market_slug }) => [condition_id, market_slug]))
}

const draw = (list: readonly Order[], slugs: ReadonlyMap<string, string>): string =>
  table(
    ['STATE', 'SIDE', 'OUTCOME', 'PRICE', 'OPEN', 'FILLED', 'ID', 'MARKET'],
    list.map(({ state, side, outcome, price, remaining_size, size_matched, id, market }) => [
      state,
      side,
      outcome,
      price,
      remaining_size,
      size_matched,
      id,
      slugs.get(market) ?? market,
    ]),
    'no open orders',
    [3, 4, 5],
  )
