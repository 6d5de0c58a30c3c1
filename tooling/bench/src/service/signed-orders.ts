import { formatLots } from '@augury/units/decimal'
import type { Trader } from './trader.ts'
import type { Market } from './venue-scene.ts'

/** Where orders are: around the middle about half of them meet another, far below it none does. */
export type Where = 'middle' | 'below'

/** Whether orders carry a client order id. */
export type Naming = 'named' | 'nameless'

let made = 0

/** A plain order as the bytes of its request, who sent it, and the id it has. */
export interface SignedOrder {
  trader: Trader
  bytes: Buffer
  orderId: string
}

/**
 * Orders of about five shares by all traders in turn, signed ahead. No two of a minute are alike: the same order would be the same
 * signature, and refused as a duplicate.
 */
export const signOrders = (
  traders: readonly Trader[],
  market: Market,
  count: number,
  where: Where = 'middle',
  naming: Naming = 'nameless',
): SignedOrder[] =>
  makeOrders(traders, market, count, where).map(({ trader, order, n }) => ({
    trader,
    ...trader.order(order, naming === 'named' ? `bench-${n}` : undefined),
  }))

/** The same orders, not signed: as they are sent over sockets that have logged in. */
export function makeOrders(traders: readonly Trader[], { yes, no }: Market, count: number, where: Where = 'middle') {
  return Array.from({ length: count }, () => {
    const n = made++
    const turn = Math.floor(n / traders.length)
    const price = ((where === 'middle' ? 490 : 100) + ((turn * 7 + n) % 20)) / 1000
    const size = formatLots(500 + (Math.floor(turn / 20) % 400))
    const order = { tokenId: n % 2 && where === 'middle' ? no : yes, side: 'BUY', orderType: 'GTC', price: price.toFixed(3), size }
    return { trader: traders[n % traders.length]!, order, n }
  })
}

/** The requests alone. */
export const bytesOf = (orders: readonly SignedOrder[]): Buffer[] => orders.map(({ bytes }) => bytes)
