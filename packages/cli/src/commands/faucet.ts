import type { Command } from '../command.ts'

/** Asks for play money. */
export const faucet: Command = {
  usage: 'AMOUNT [ADDRESS]',
  about: 'Play money in USDC for your account, or for any address. Only where the exchange is a sandbox.',
  flags: {},
  words: [1, 2],
  async run({ visitor, address: own, show }, { words: [amount = '', address] }) {
    const to = address ?? (await own())
    const result = await visitor.faucet({ body: { address: to, amount } })
    show({ address: to, ...result }, () => `${to} has ${result.balance} USDC`)
  },
}
