import type { Listener } from './listener.ts'
import * as Order from './order-terms.ts'
import type { State } from './state.ts'

const EXPIRED_REASON = Order.endReason('expired')
const MARKET_CLOSED = Order.endReason('market_closed')

/** Takes an open order out of the book and gives back what it holds. */
export function endOrder(state: State, slot: number, orderState: number, reason: number): void {
  const { orders, ledger } = state
  const condition = orders.condition(slot)
  const remaining = orders.remaining(slot)
  leaveBook(state, slot)
  if (orders.side(slot) === Order.BUY) ledger.hold(orders.account(slot), -orders.price(slot) * remaining)
  else ledger.holdTokens(orders.account(slot), condition, orders.outcome(slot), -remaining)
  orders.setState(slot, orderState, reason)
  orders.remember(slot, state.at)
  state.digest.add(slot, orderState)
}

/** Removes an order from its price level, its account's open orders and the expiries. */
export function leaveBook(state: State, slot: number): void {
  const { orders, accounts, conditions } = state
  const condition = orders.condition(slot)
  const ladder = conditions.ladder(condition)
  const bookPrice = orders.bookPrice(slot)
  ladder.remove(orders, slot, bookPrice / ladder.grid)
  state.touched.add(condition, bookPrice, orders.isBid(slot))
  accounts.unlink(orders, slot)
  if (orders.type(slot) === Order.GTD) state.expiries.remove(slot)
}

/** Ends an order past its expiration. */
export const expireOrder = (state: State, slot: number): void => endOrder(state, slot, Order.EXPIRED, EXPIRED_REASON)

/** Cancels the open orders of an account, oldest first, at most `limit`; condition 0 and outcome −1 mean all. */
export function cancelOrders(
  state: State,
  listener: Listener,
  account: number,
  condition: number,
  outcome: number,
  reason: number,
  limit: number,
): number {
  const { orders, accounts } = state
  let ended = 0
  for (let slot = accounts.firstOrder[account]!; slot !== 0 && ended < limit; ) {
    const newer = orders.newer(slot)
    if ((condition === 0 || orders.condition(slot) === condition) && (outcome === -1 || orders.outcome(slot) === outcome)) {
      if (orders.isDue(slot, state.at)) expireOrder(state, slot)
      else endOrder(state, slot, Order.CANCELLED, reason)
      listener.ended(slot)
      ended++
    }
    slot = newer
  }
  return ended
}

/**
 * Ends what is due: fired dead-man switches, then expired orders, then closed books. At most `limit` of all these together (switches and
 * books count as well as orders), which bounds the time a row takes.
 */
export function sweep(state: State, listener: Listener, limit: number): void {
  sweepClosed(state, listener, sweepExpired(state, listener, sweepDeadlines(state, listener, limit)))
}

/** What a switch or book without orders counts towards the limit, by the rules in force. */
const costOf = ({ rules }: State): number => (rules > 2 ? 1 : 0)

function sweepDeadlines(state: State, listener: Listener, limit: number): number {
  const { accounts, deadlines } = state
  const cost = costOf(state)
  let left = limit
  while (deadlines.size > 0 && deadlines.time[1]! <= state.at) {
    const account = deadlines.item[1]!
    if (left <= 0 && (cost > 0 || accounts.firstOrder[account] !== 0)) return 0
    left -= cancelOrders(state, listener, account, 0, -1, accounts.deadReason[account]!, left)
    if (accounts.firstOrder[account] !== 0) continue
    deadlines.remove(account)
    left -= cost
  }
  return left
}

function sweepExpired(state: State, listener: Listener, limit: number): number {
  const { expiries } = state
  let left = limit
  for (; left > 0 && expiries.size > 0 && expiries.time[1]! * 1000 <= state.at; left--) {
    const slot = expiries.item[1]!
    expireOrder(state, slot)
    listener.ended(slot)
  }
  return left
}

function sweepClosed(state: State, listener: Listener, limit: number): void {
  const { conditions } = state
  const cost = costOf(state)
  let left = limit
  while (conditions.firstClosing !== 0) {
    const condition = conditions.firstClosing
    if (left <= 0 && (cost > 0 || conditions.resting(condition) > 0)) return
    const ladder = conditions.ladder(condition)
    for (; left > 0 && ladder.orders > 0; left--) {
      const slot = ladder.head[ladder.above(0)]!
      endOrder(state, slot, Order.CANCELLED, MARKET_CLOSED)
      listener.ended(slot)
    }
    if (ladder.orders > 0) return
    conditions.firstClosing = conditions.nextClosing[condition]!
    if (conditions.firstClosing === 0) conditions.lastClosing = 0
    conditions.nextClosing[condition] = 0
    conditions.ladders[condition] = undefined
    left -= cost
  }
}
