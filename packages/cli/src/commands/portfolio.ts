import type { Command } from '../command.ts'
import { decimals, readPositions } from '../positions.ts'
import { columns, short, table } from '../table.ts'

/** Shows the caller's balance and positions. */
export const portfolio: Command = {
  usage: '',
  about: 'Your USDC, and your shares with what they are worth now.',
  flags: {},
  words: [0, 0],
  async run(session) {
    const client = await session.trader()
    const usdc = decimals(await client.getBalance({ query: { asset_type: 'COLLATERAL' } }))
    const positions = await readPositions(client, (await session.apiKey()).address)
    const money = columns([
      ['USDC', usdc.balance],
      ['  in orders', usdc.reserved],
      ['  available', usdc.available],
    ])
    const rows = positions.map(({ question, outcome, balance, reserved, price, value }) => [
      short(question, 60),
      outcome,
      balance,
      reserved,
      String(price),
      value,
    ])
    const shares = table(['MARKET', 'OUTCOME', 'SHARES', 'IN ORDERS', 'PRICE', 'VALUE'], rows, 'no shares', [2, 3, 4, 5])
    session.show({ usdc, positions }, () => `${money}\n\n${shares}`)
  },
}
