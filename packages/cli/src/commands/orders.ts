import type { Answer } from '@augury/client/rest'
import type { Command } from '../command.ts'
import { findMarket } from '../find-market.ts'
import { pages } from '../pages.ts'
import { table } from '../table.ts'

type Order = Answer<'getOrder'>

/** Lists the caller's orders. */
export const orders: Command = {
  usage: '[ID] [--market MARKET]',
  about: 'Your open orders, or one order of yours, open or ended.',
  flags: { market: { value: 'MARKET', about: 'Only those of a market.' } },
  words: [0, 1],
  async run(session, { words: [id], flag }) {
    const client = await session.trader()
    if (id !== undefined) {
      const one = await client.getOrder({ params: { id } })
      return session.show(one, () => draw([one]))
    }
    const name = flag('market')
    const market = name === undefined ? undefined : (await findMarket(client, name)).market.condition_id
    const filter = market === undefined ? {} : { market }
    const open = pages((cursor) => client.listOrders({ query: { ...filter, ...(cursor === undefined ? {} : { next_cursor: cursor }) } }))
    const all: Order[] = []
    for await (const one of open) all.push(one)
    session.show(all, () => draw(all))
  },
}

const draw = (list: readonly Order[]): string =>
  table(
    ['STATE', 'SIDE', 'OUTCOME', 'PRICE', 'OPEN', 'FILLED', 'ID'],
    list.map(({ state, side, outcome, price, remaining_size, size_matched, id }) => [
      state,
      side,
      outcome,
      price,
      remaining_size,
      size_matched,
      id,
    ]),
    'no open orders',
    [3, 4, 5],
  )
