import type { VenueClient } from '@augury/client/rest'
import type { CancelManyResult } from '@augury/wire/cancel-result'
import type { Arguments, Command } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { findMarket } from '../find-market.ts'

/** Cancels orders. */
export const cancel: Command = {
  usage: 'ID… | --all | --market MARKET',
  about: 'Cancel orders by id, all of them, or those of a market.',
  flags: {
    all: { about: 'All your open orders.' },
    market: { value: 'MARKET', about: 'All your open orders of a market.' },
  },
  words: [0, 1000],
  async run(session, args) {
    const ways = [args.words.length > 0, args.given('all'), args.given('market')].filter(Boolean)
    if (ways.length !== 1) throw misuse('give ids, or --all, or --market')
    const result = await cancelled(await session.trader(), args)
    const lines = [
      ...result.canceled.map((id) => `cancelled ${id}`),
      ...Object.entries(result.not_canceled).map(([id, why]) => `not cancelled ${id}: ${why}`),
    ]
    session.show(result, () => (lines.length === 0 ? 'nothing to cancel' : lines.join('\n')))
    const left = Object.keys(result.not_canceled).length
    if (left > 0) throw new Failure('not_canceled', `${left} of the orders were not cancelled`, 1, result.not_canceled)
  },
}

async function cancelled(client: VenueClient, { words, flag, given }: Arguments): Promise<CancelManyResult> {
  if (given('all')) return client.cancelAll()
  const market = flag('market')
  if (market !== undefined) {
    const found = await findMarket(client, market)
    return client.cancelMarketOrders({ body: { market: found.market.condition_id } })
  }
  const [first = '', ...more] = words
  return more.length === 0 ? client.cancelOrder({ body: { orderId: first } }) : client.cancelOrders({ body: [...words] })
}
