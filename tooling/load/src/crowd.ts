import { createHash } from 'node:crypto'
import { Trader } from '@augury/bench/service/trader'
import { type Market, registerMarket } from '@augury/bench/service/venue-scene'
import type { Hex } from '@augury/wire/scalars'
import { privateKeyToAccount } from 'viem/accounts'
import type { System } from './system.ts'

const GIVEN_USDC = 10_000_000

/** The traders, and their markets. */
export interface Crowd {
  operator: Trader
  traders: readonly Trader[]
  markets: readonly (Market & { slug: string })[]
}

/** Opens markets on a system and creates funded traders without rate limits. */
export async function gather({ exchange, operatorKey }: System, counts: { traders: number; markets: number }): Promise<Crowd> {
  const operator = await Trader.of(exchange, privateKeyToAccount(operatorKey), 'venue')
  const markets: (Market & { slug: string })[] = []
  for (let n = 0; n < counts.markets; n++) {
    const slug = `load-${n}`
    markets.push({ slug, ...(await registerMarket(operator, exchange, slug, { feeBps: 100 })) })
  }
  const traders: Trader[] = []
  for (let n = 0; n < counts.traders; n++) {
    const trader = await Trader.of(exchange, privateKeyToAccount(secret(`trader ${n}`)))
    await operator.call(exchange, 'PUT', `/operator/accounts/${trader.account}`, { tier: 'internal' })
    const deposit = { address: trader.account, amount: String(GIVEN_USDC * 1_000_000), ref: secret(`deposit ${n}`) }
    await operator.call(exchange, 'POST', '/operator/deposits', deposit)
    traders.push(trader)
  }
  return { operator, traders, markets }
}

const secret = (text: string): Hex => `0x${createHash('sha256').update(`load ${text}`).digest('hex')}`
