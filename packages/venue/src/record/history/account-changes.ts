import type { Hex } from '@augury/engine/command'
import type { Event, OrderView } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import { decodeAnnex } from '../../base/annex.ts'
import { type Fill, tradesOf } from '../../base/trades-of.ts'
import type { AppliedRow } from '../log/applied-row.ts'
import type { TradeRecord } from './read-trades.ts'

/** What a command did to an order of an account. */
export type OrderChangeKind = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'

/** What one command did to one account: its trades in order, then its orders as they are after the command. */
export interface AccountChange {
  account: Hex
  /** Position of the command. */
  seq: number
  /** Engine milliseconds. */
  at: number
  trades: TradeRecord[]
  orders: { kind: OrderChangeKind; order: OrderView }[]
}

/** What later commands of a row matched of an order, so that its state before them can be computed. Lots and millionths. */
interface Later {
  lots: number
  cost: number
}

/**
 * What a row did to the accounts for which `isFollowed` holds, in order of its commands. The exchange already stands after the whole row,
 * so the row is walked backwards: an order that two commands changed is reported as it was after each of them.
 */
export function accountChanges(row: AppliedRow, exchange: Exchange, isFollowed: (account: Hex) => boolean): AccountChange[] {
  const later = new Map<Hex, Later>()
  return row.outcomes
    .toReversed()
    .flatMap(({ seq, events }) => changesOf({ seq, at: row.at, events }, exchange, isFollowed, later).toReversed())
    .toReversed()
}

function changesOf(
  command: { seq: number; at: number; events: readonly Event[] },
  exchange: Exchange,
  isFollowed: (account: Hex) => boolean,
  later: Map<Hex, Later>,
): AccountChange[] {
  const { seq, at, events } = command
  const changes = new Map<Hex, AccountChange>()
  const of = (account: Hex): AccountChange | null => {
    if (!isFollowed(account)) return null
    const change = changes.get(account) ?? { account, seq, at, trades: [], orders: [] }
    changes.set(account, change)
    return change
  }
  const placed = events.find((event) => event.type === 'placed' && !event.again)
  if (placed?.type === 'placed') {
    of(placed.order.account)?.orders.push(...ofPlacement(placed.order))
    for (const { n, fills } of tradesOf(events)) {
      const trade = tradeRecord(n, fills, placed.order, command)
      for (const account of new Set([trade.taker.account, ...trade.makers.map((maker) => maker.account)])) of(account)?.trades.push(trade)
    }
  }
  for (const order of touched(events, placed?.type === 'placed' ? placed.order.orderId : null, exchange, later, isFollowed)) {
    of(order.account)?.orders.push(ofChange(order))
  }
  return [...changes.values()]
}

const isCancelled = ({ state }: OrderView): boolean => state === 'cancelled' || state === 'expired' || state === 'rejected'

/** The changes of a new order: its placement, and its end when it ended at once without being filled. A rejected order has only an end. */
export function ofPlacement(order: OrderView): AccountChange['orders'] {
  const ended = isCancelled(order) ? [{ kind: 'CANCELLATION' as const, order }] : []
  return order.state === 'rejected' ? ended : [{ kind: 'PLACEMENT' as const, order }, ...ended]
}

/** The change of an order that was placed before. */
export const ofChange = (order: OrderView): AccountChange['orders'][number] => ({
  kind: isCancelled(order) ? 'CANCELLATION' : 'UPDATE',
  order,
})

/** Orders that a command changed besides the one it placed, in order of first mention, as they are after it. */
function touched(
  events: readonly Event[],
  placedId: Hex | null,
  exchange: Exchange,
  later: Map<Hex, Later>,
  isFollowed: (account: Hex) => boolean,
): OrderView[] {
  const found = new Map<Hex, { account: Hex; remaining: number; matched: Later; ended: OrderView | null }>()
  const of = (orderId: Hex, account: Hex) => {
    const entry = found.get(orderId) ?? { account, remaining: 0, matched: { lots: 0, cost: 0 }, ended: null }
    found.set(orderId, entry)
    return entry
  }
  for (const event of events) {
    if (event.type === 'fill') {
      const entry = of(event.maker.orderId, event.maker.account)
      entry.remaining = event.maker.remaining
      entry.matched.lots += event.lots
      entry.matched.cost += event.lots * event.maker.price
    } else if (event.type === 'reduced') of(event.orderId, event.account).remaining = event.remaining
    else if (event.type === 'ended') of(event.order.orderId, event.order.account).ended = event.order
  }
  const views: OrderView[] = []
  for (const [orderId, { account, remaining, matched, ended }] of found) {
    if (orderId === placedId || !isFollowed(account)) continue
    const after = later.get(orderId) ?? { lots: 0, cost: 0 }
    views.push(ended ?? earlier(exchange.order(orderId)!, remaining, after))
    later.set(orderId, { lots: after.lots + matched.lots, cost: after.cost + matched.cost })
  }
  return views
}

/** An order as it was before what came `after` in the row. */
function earlier(order: OrderView, remaining: number, after: Later): OrderView {
  const matched = order.matched - after.lots
  const state = matched > 0 ? 'partially_filled' : 'live'
  return { ...order, lots: matched + remaining, remaining, matched, matchedCost: order.matchedCost - after.cost, state, reason: null }
}

/** A trade of an order that was just placed. */
function tradeRecord(n: number, fills: readonly Fill[], taker: OrderView, { seq, at }: { seq: number; at: number }): TradeRecord {
  const { condition, feeBps, taker: terms } = fills[0]!
  return {
    id: `${seq}-${n}`,
    seq,
    n,
    at,
    condition,
    outcome: terms.outcome,
    side: terms.side,
    price: terms.price,
    feeBps,
    lots: fills.reduce((sum, { lots }) => sum + lots, 0),
    fee: fills.reduce((sum, { fee }) => sum + fee, 0),
    taker: { orderId: taker.orderId, account: taker.account, orderType: taker.orderType, by: decodeAnnex(taker.annex) },
    makers: fills.map(({ n: place, lots, kind, maker: { orderId, account, outcome, side, price, annex } }) => ({
      id: `${seq}-${place}`,
      orderId,
      account,
      outcome,
      side,
      price,
      lots,
      kind,
      by: decodeAnnex(annex),
    })),
  }
}
