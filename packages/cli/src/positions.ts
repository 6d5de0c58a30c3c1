import type { Answer, VenueClient } from '@augury/client/rest'
import { pages } from './pages.ts'

/** Shares of one outcome: decimals, and what they would be worth at the displayed price. */
export interface Position {
  market: string
  slug: string
  question: string
  token_id: string
  outcome: string
  balance: string
  reserved: string
  available: string
  price: number
  value: string
}

/** The caller's shares in markets that he traded in, or has orders in. */
export async function readPositions(client: VenueClient): Promise<Position[]> {
  const conditions = new Set<string>()
  const next = (cursor: string | undefined) => (cursor === undefined ? {} : { next_cursor: cursor })
  for await (const { market } of pages((cursor) => client.listOwnTrades({ query: next(cursor) }))) conditions.add(market)
  for await (const { market } of pages((cursor) => client.listOrders({ query: next(cursor) }))) conditions.add(market)
  const found: Position[] = []
  for (const condition_id of conditions) {
    const market = await client.getMarket({ params: { condition_id } })
    for (const { token_id, outcome, price } of market.tokens) {
      const balance = await client.getBalance({ query: { asset_type: 'CONDITIONAL', token_id } })
      if (balance.balance === '0') continue
      const { question, market_slug: slug } = market
      const value = formatMicros(String((BigInt(balance.balance) * BigInt(Math.round(price * 10_000))) / 10_000n))
      found.push({ market: condition_id, slug, question, token_id, outcome, ...decimals(balance), price, value })
    }
  }
  return found
}

/** A balance in decimals. */
export const decimals = ({ balance, reserved, available }: Answer<'getBalance'>) => ({
  balance: formatMicros(balance),
  reserved: formatMicros(reserved),
  available: formatMicros(available),
})

/** Millionths as a decimal, exactly. */
export function formatMicros(micros: string): string {
  const digits = micros.padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}
