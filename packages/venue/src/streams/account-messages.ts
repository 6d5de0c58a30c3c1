import type { AccountEvent } from '@augury/wire/user-stream'
import { orderView } from '../views/order-view.ts'
import { ownTrade, type TradeContext } from '../views/trade-view.ts'
import type { AccountChange } from './account-changes.ts'

type WithoutPlace<Event> = Event extends unknown ? Omit<Event, 'seq' | 'epoch'> : never
/** A message of the user stream without its log position. */
export type AccountMessage = WithoutPlace<AccountEvent>

const ORDER = { PLACEMENT: 0, UPDATE: 2, CANCELLATION: 2 } as const

/** The messages of a change: placements, then trades, then updates and endings of orders. */
export function accountMessages(change: AccountChange, context: TradeContext): AccountMessage[] {
  const { account, seq, at } = change
  const about = { account, timestamp: String(at) }
  const trades: [number, AccountMessage][] = change.trades.map((trade) => {
    const { seq: _, ...shown } = ownTrade(context, account, trade)
    return [1, { event_type: 'trade', type: 'TRADE', ...shown, trade_owner: shown.owner, ...about, event_id: trade.id }]
  })
  const orders = change.orders
    .toSorted((a, b) => a.order.seq - b.order.seq || (a.order.orderId < b.order.orderId ? -1 : 1))
    .map(({ kind, order }): [number, AccountMessage] => {
      const { seq: _, ...shown } = orderView(order, context.markets, { updatedAt: at })
      const event_id = `${seq}-${kind.toLowerCase()}-${order.orderId}`
      return [ORDER[kind], { event_type: 'order', type: kind, ...shown, order_owner: shown.owner, ...about, event_id }]
    })
  return [...orders, ...trades].toSorted(([a], [b]) => a - b).map(([, message]) => message)
}
