import type { Hex } from '@augury/engine/command'
import type { AccountEvent } from '@augury/wire/user-stream'
import { getAddress } from 'viem'
import type { AccountChange } from '../../record/history/account-changes.ts'
import type { TradeRecord } from '../../record/history/read-trades.ts'
import { orderView } from './order-view.ts'
import { ownTrade, type TradeContext } from './trade-view.ts'

type WithoutPlace<Event> = Event extends unknown ? Omit<Event, 'seq' | 'epoch'> : never
/** A message of the user stream without its log position. */
export type AccountMessage = WithoutPlace<AccountEvent>

/** The messages of a change: placements, then trades, then updates and endings of orders. */
export const accountMessages = (change: AccountChange, context: TradeContext): AccountMessage[] => [...eachAccountMessage(change, context)]

/** Which trades each order had a part in. */
function tradesByOrder(trades: readonly TradeRecord[]): Map<Hex, string[]> {
  const found = new Map<Hex, string[]>()
  for (const { id, taker, makers } of trades) {
    for (const orderId of new Set([taker.orderId, ...makers.map((maker) => maker.orderId)])) {
      const ids = found.get(orderId) ?? []
      found.set(orderId, ids)
      ids.push(id)
    }
  }
  return found
}

/** The same one by one: one command may change very many orders. An order names the trades of this change; history knows those before. */
export function* eachAccountMessage(change: AccountChange, context: TradeContext): Generator<AccountMessage> {
  const { account, seq, at } = change
  const about = { account: getAddress(account), timestamp: String(at) }
  const orders = change.orders.toSorted((a, b) => a.order.seq - b.order.seq || (a.order.orderId < b.order.orderId ? -1 : 1))
  const traded = tradesByOrder(change.trades)
  const orderMessage = ({ kind, order }: AccountChange['orders'][number]): AccountMessage => {
    const { seq: _, ...shown } = orderView(order, context.markets, { updatedAt: at, trades: traded.get(order.orderId) ?? [] })
    const event_id = `${seq}-${kind.toLowerCase()}-${order.orderId}`
    return { event_type: 'order', type: kind, ...shown, order_owner: shown.owner, ...about, event_id }
  }
  for (const change of orders) if (change.kind === 'PLACEMENT') yield orderMessage(change)
  for (const trade of change.trades) {
    const { seq: _, ...shown } = ownTrade(context, account, trade)
    yield { event_type: 'trade', type: 'TRADE', ...shown, trade_owner: shown.owner, ...about, event_id: trade.id }
  }
  for (const change of orders) if (change.kind !== 'PLACEMENT') yield orderMessage(change)
}
