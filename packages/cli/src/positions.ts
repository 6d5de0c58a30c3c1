import { formatMicros } from '@augury/client/amounts'
import type { Answer, VenueClient } from '@augury/client/rest'
import { mapConcurrently } from './map-concurrently.ts'

/** Shares of one outcome as decimals, with their worth at the displayed price. */
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
  return held.flatMap(({ conditionId, slug, title, asset, outcome, curPrice }, index) => {
    const balance = balances[index]!
    if (balance.balance === '0') return [] // sold meanwhile
    const value = formatMicros(String((BigInt(balance.balance) * BigInt(Math.round(curPrice * 10_000))) / 10_000n))
    return [{ market: conditionId, slug, question: title, token_id: asset, outcome, ...decimals(balance), price: curPrice, value }]
  })
}

/** A balance in decimals. */
export const decimals = ({ balance, reserved, available }: Answer<'getBalance'>) => ({
  balance: formatMicros(balance),
  reserved: formatMicros(reserved),
  available: formatMicros(available),
})
