import type { CommandOf, Hex } from './command.ts'
import { type Decision, keyWords, rowOf } from './decision.ts'
import { cancelOrders, endOrder } from './endings.ts'
import type { Refusal, Refused } from './event.ts'
import { execute, reduceOrder } from './execute.ts'
import type { Listener } from './listener.ts'
import * as Order from './order-terms.ts'
import { ANY, countAt, MATCHED, type Placement, placeInReplace, REPLACE, UNFILLED } from './placement.ts'
import { plan } from './plan.ts'
import type { State } from './state.ts'

const USER = Order.endReason('user')

/** Decides about the placement that begins at `words[at]`. A known id is answered as the first time. Changes nothing. */
export function planPlacement(state: State, order: Placement, words: Uint32Array, at: number): void {
  read(state, order, words, at)
  if (order.known === 0) plan(state, order)
  else if (!isSame(state, order, order.known)) order.refusal = 'duplicate_order'
}

/** Reads a placement and looks up the account, condition and order id it names. */
function read(state: State, order: Placement, words: Uint32Array, at: number): void {
  order.read(words, at)
  order.account = state.accounts.ids.find(words, order.accountAt)
  order.condition = state.conditions.ids.find(words, order.conditionAt)
  const slot = state.orders.ids.find(words, order.idAt)
  if (slot === 0) return
  if (state.isRemembered(slot)) order.known = slot
  else order.forgotten = slot
}

/** Carries out what `planPlacement` decided. */
export function executePlacement(state: State, order: Placement, listener: Listener): void {
  if (order.refusal !== null) listener.refused(order.refusal, -1, order.available, order.reserved, order.required)
  else if (order.known !== 0) listener.placed(order.known, true)
  else execute(state, order, listener)
}

/** How a planned placement of an account that has nothing is refused; null where it is answered as the first time. */
export function refusedPlacement(state: State, order: Placement): Refused | null {
  const { refusal, known, side, budget, lots, price } = order
  if (refusal === null && known !== 0) return null
  const isBuy = side === Order.BUY
  const required = refusal === null ? (isBuy ? budget || price * lots : lots) : order.required
  return {
    type: 'refused',
    code: refusal ?? (isBuy ? 'insufficient_balance' : 'insufficient_shares'),
    details: required > 0 ? { available: order.available, reserved: order.reserved, required } : null,
    state: refusal === 'order_ended' ? (Order.STATES[namedState(state, known)] ?? null) : null,
  }
}

/**
 * Whether a stored order came from this same placement (a retry). Clients choose ids, so all that an order keeps of its placement is compared,
 * but for the annex, which the engine never reads: the fields that `ORDER_FIELDS` calls `same`.
 */
function isSame({ orders }: State, order: Placement, slot: number): boolean {
  return (
    orders.account(slot) === order.account &&
    orders.condition(slot) === order.condition &&
    orders.outcome(slot) === order.outcome &&
    orders.side(slot) === order.side &&
    orders.type(slot) === order.type &&
    orders.postOnly(slot) === order.postOnly &&
    orders.expiration(slot) === order.expiration &&
    orders.askedPrice(slot) === order.askedPrice &&
    orders.askedLots(slot) === order.lots &&
    orders.budget(slot) === order.budget
  )
}

/** Decides about the replace that begins at `words[at]`. */
export function planReplace(state: State, order: Placement, words: Uint32Array, at: number): void {
  const flags = words[at + REPLACE.flags]!
  const slot = state.findOrder(words, at)
  read(state, order, words, at + placeInReplace(flags))
  if (order.known !== 0) {
    if (!isSame(state, order, order.known)) order.refusal = 'duplicate_order'
    return
  }
  const refusal = replacedRefusal(state, slot, order.account, flags >>> 4, countAt(words, at + REPLACE.matched))
  const isRequired = (flags & 15) !== 0
  if (refusal !== null && (isRequired || refusal === 'order_not_owned')) {
    order.refusal = refusal
    order.known = slot
    return
  }
  if (refusal === null) order.replaced = slot
  plan(state, order)
}

/** Why an order cannot be replaced, or null; `matched` is only compared when `onlyIf` is MATCHED. */
function replacedRefusal(state: State, slot: number, account: number, onlyIf: number, matched: number): Refusal | null {
  const { orders } = state
  const refusal = cancelRefusal(state, slot, account)
  if (refusal !== null || onlyIf === ANY) return refusal
  if (onlyIf === MATCHED) return orders.lots(slot) - orders.remaining(slot) === matched ? null : 'order_ended'
  return orders.state(slot) === (onlyIf === UNFILLED ? Order.LIVE : Order.PARTIALLY_FILLED) ? null : 'order_ended'
}

/** Why an account cannot cancel an order, or null. */
function cancelRefusal({ orders, at }: State, slot: number, account: number): Refusal | null {
  if (slot === 0) return 'order_not_found'
  if (orders.account(slot) !== account) return 'order_not_owned'
  return orders.isOpen(slot) && !orders.isDue(slot, at) ? null : 'order_ended'
}

/** The order state that a refusal reports, −1 for no order; one past its expiration counts as expired before any sweep. */
export function namedState({ orders, at }: State, slot: number): number {
  if (slot === 0) return -1
  return orders.isOpen(slot) && orders.isDue(slot, at) ? Order.EXPIRED : orders.state(slot)
}

/** How a cancel would be refused as of the last row; null where the order is open. Changes nothing. */
export function refusedCancel(state: State, account: Hex, orderId: Hex): Refused | null {
  const slot = state.findOrder(keyWords(orderId), 0)
  const code = cancelRefusal(state, slot, rowOf(state.accounts.ids, account))
  if (code === null) return null
  return { type: 'refused', code, details: null, state: code === 'order_ended' ? (Order.STATES[namedState(state, slot)] ?? null) : null }
}

/** Cancels one order at its owner's request. */
export function cancel(state: State, words: Uint32Array, accountAt: number, idAt: number, listener: Listener): void {
  const slot = state.findOrder(words, idAt)
  const refusal = cancelRefusal(state, slot, state.accounts.ids.find(words, accountAt))
  if (refusal !== null) {
    listener.refused(refusal, refusal === 'order_ended' ? namedState(state, slot) : -1, 0, 0, 0)
    return
  }
  endOrder(state, slot, Order.CANCELLED, USER)
  listener.ended(slot)
}

/** Ends all open orders of an account, narrowed to a condition and to one of its tokens. */
export function cancelAll(state: State, { account, condition, outcome, reason }: CommandOf<'cancel_all'>): Decision {
  const owner = rowOf(state.accounts.ids, account)
  const row = condition === null ? 0 : rowOf(state.conditions.ids, condition)
  if (condition !== null && row === 0) return 'unknown_token'
  return (listener) => {
    listener.done()
    cancelOrders(state, listener, owner, row, outcome ?? -1, Order.endReason(reason), Number.MAX_SAFE_INTEGER)
  }
}

/** Makes an order smaller where it stands; `lots` is its new whole size. */
export function reduce(state: State, { account, orderId, lots }: CommandOf<'reduce'>): Decision {
  const { orders, conditions } = state
  const slot = state.findOrder(keyWords(orderId), 0)
  const refusal = cancelRefusal(state, slot, rowOf(state.accounts.ids, account))
  if (refusal === 'order_ended') return (listener) => listener.refused(refusal, namedState(state, slot), 0, 0, 0)
  if (refusal !== null) return refusal
  const size = orders.lots(slot)
  if (lots >= size) return 'not_smaller'
  if (lots <= size - orders.remaining(slot) || lots < conditions.minLots[orders.condition(slot)]!) return 'size_too_small'
  return (listener) => {
    reduceOrder(state, slot, size - lots)
    listener.reduced(slot, 'amend')
  }
}
