import type { Command } from '../command.ts'
import { findMarket } from '../find-market.ts'
import { readCount } from '../read-count.ts'
import { short, table } from '../table.ts'

/** Lists public trades. */
export const trades: Command = {
  usage: '[MARKET] [--limit N]',
  about: 'The latest trades, of one market or of all.',
  flags: { limit: { value: 'N', about: 'At most so many, up to 500. Default: 20.' } },
  words: [0, 1],
  async run({ visitor, show }, { words: [name], flag }) {
    const limit = readCount(flag('limit') ?? '20', '--limit', 500)
    const market = name === undefined ? undefined : (await findMarket(visitor, name)).market.condition_id
    const { data } = await visitor.listTrades({ query: { limit, ...(market === undefined ? {} : { market }) } })
    const rows = data.map(({ timestamp_iso, side, size, outcome, price, title }) => [
      timestamp_iso.slice(0, 19).replace('T', ' '),
      side,
      size,
      outcome,
      price,
      short(title, 60),
    ])
    show(data, () => table(['TIME', 'SIDE', 'SHARES', 'OUTCOME', 'PRICE', 'MARKET'], rows, 'no trades yet', [2, 4]))
  },
}
