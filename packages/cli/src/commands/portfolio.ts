import type { Command } from '../command.ts'
import { decimals, dollars, readPositions } from '../positions.ts'
import { columns, short, table } from '../table.ts'

/** Shows the caller's balance and positions. */
export const portfolio: Command = {
  usage: '',
  about: 'Your USDC and positions with their current value.',
  flags: {},
  words: [0, 0],
  async run(session) {
    const client = await session.trader()
    const usdc = decimals(await client.getBalance({ query: { asset_type: 'COLLATERAL' } }))
    const { address } = await session.apiKey()
    const positions = await readPositions(client, address)
    const [worth] = await client.getValue({ query: { user: address } })
    const profit = { profit: dollars(worth!.profit), fees: dollars(worth!.fees) }
    const money = columns([
      ['USDC', usdc.balance],
      ['  in orders', usdc.reserved],
      ['  available', usdc.available],
      ['profit', profit.profit],
      ['  after fees of', profit.fees],
    ])
    const rows = positions.map(({ question, outcome, balance, reserved, price, value, profit }) => [
      short(question, 60),
      outcome,
      balance,
      reserved,
      price === null ? '–' : String(price),
      value,
      profit,
    ])
    const shares = table(['MARKET', 'OUTCOME', 'SHARES', 'IN ORDERS', 'PRICE', 'VALUE', 'PROFIT'], rows, 'no shares', [2, 3, 4, 5, 6])
    session.show({ usdc, ...profit, positions }, () => `${money}\n\n${shares}`)
  },
}
