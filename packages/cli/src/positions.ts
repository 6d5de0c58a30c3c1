import { formatMicros } from '@augury/client/amounts'
import type { Answer, VenueClient } from '@augury/client/rest'
import { mapConcurrently } from './map-concurrently.ts'

/** Shares of one outcome as decimals, with their value at the displayed price, or at their cost while there is none. */
export interface Position {
  market: string
  slug: string
  question: string
  token_id: string
  outcome: string
  balance: string
  reserved: string
  available: string
  price: number | null
  value: string
  /** Value less cost, fees included. */
  profit: string
}

/** Positions per page of the data service. */
const PAGE = 500

/** The caller's positions, largest first. */
export async function readPositions(client: VenueClient, address: string): Promise<Position[]> {
  await client.listOwnTrades() // waits until history includes the caller's last change
  const held: Answer<'listPositions'> = []
  for (let page: typeof held = [], offset = 0; offset === 0 || page.length === PAGE; offset += PAGE) {
    page = await client.listPositions({ query: { user: address, limit: PAGE, offset } })
    held.push(...page)
  }
  const balances = await mapConcurrently(held, ({ asset }) => client.getBalance({ query: { asset_type: 'CONDITIONAL', token_id: asset } }))
  return held.flatMap(({ conditionId, slug, title, asset, outcome, curPrice, currentValue, cashPnl }, index) => {
    const balance = balances[index]!
    if (balance.balance === '0') return [] // sold meanwhile
    const figures = { price: curPrice, value: dollars(currentValue), profit: dollars(cashPnl) }
    return [{ market: conditionId, slug, question: title, token_id: asset, outcome, ...decimals(balance), ...figures }]
  })
}

/** An amount of the data service as a decimal. */
export const dollars = (amount: number): string =>
  `${amount < 0 ? '-' : ''}${formatMicros(String(Math.round(Math.abs(amount) * 1_000_000)))}`

/** A balance in decimals. */
export const decimals = ({ balance, reserved, available }: Answer<'getBalance'>) => ({
  balance: formatMicros(balance),
  reserved: formatMicros(reserved),
  available: formatMicros(available),
})
