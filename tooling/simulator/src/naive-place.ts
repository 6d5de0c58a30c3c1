import type { CommandOf, Hex, OnlyIf, Place } from '@augury/engine/command'
import type { EndReason, OrderState, Refusal } from '@augury/engine/event'
import { feesOf, shareFee } from './naive-fees.ts'
import { crossing, type Walk, walk } from './naive-match.ts'
import type { NaiveCondition, NaiveOrder, NaiveState } from './naive-state.ts'

const MAX_LOTS = 4_000_000_000
const MAX_SUPPLY = 4_000_000_000_000_000
/** Most open orders per account, by tier. */
const OPEN_ORDERS = [2_000, 5_000, 10_000, 20_000]

/** Fields in which two placements of one id may differ and still be the same order. */
const MAY_DIFFER = { type: true, orderId: true, selfTrade: true, deployment: true, annex: true } as const
const TERMS: { readonly [F in Exclude<keyof Place, keyof typeof MAY_DIFFER>]: true } = {
  ...{ account: true, condition: true, outcome: true, side: true, orderType: true },
  ...{ price: true, lots: true, budget: true, expiration: true, postOnly: true },
}

/** Whether two placements of one id have the same terms. */
const sameContent = (a: Place, b: Place): boolean => (Object.keys(TERMS) as (keyof Place)[]).every((key) => a[key] === b[key])

/** Why an order is refused before the book is looked at, or null. */
function checkPlace(state: NaiveState, place: Place, condition: NaiveCondition | undefined): Refusal | null {
  if (state.mode === 'paused') return 'venue_paused'
  if (state.mode === 'cancel_only') return 'cancel_only'
  if (state.mode === 'post_only' && !place.postOnly) return 'post_only_mode'
  if (!condition) return 'unknown_token'
  if (condition.mode === 'paused') return 'market_paused'
  if (condition.mode === 'cancel_only') return 'cancel_only'
  if (condition.mode !== 'open') return 'market_closed'
  if (state.account(place.account).banned) return 'account_banned'
  const atOnce = place.orderType === 'FOK' || place.orderType === 'FAK'
  const price = limitOf(place, condition)
  if (price % condition.grid !== 0) return 'invalid_price_tick'
  if (price < condition.grid || price > 10_000 - condition.grid) return 'price_out_of_range'
  if (place.budget > 0 && (place.lots > 0 || place.side !== 'BUY' || !atOnce)) return 'invalid_amount'
  if (place.lots > MAX_LOTS || place.budget > MAX_SUPPLY) return 'size_too_large'
  if (place.budget > 0 && place.budget < price) return 'amount_too_small'
  if (place.budget === 0 && (place.lots < 1 || (place.lots < condition.minLots && !atOnce))) return 'size_too_small'
  if ((place.orderType === 'GTD') !== (place.expiration !== 0)) return 'invalid_expiration'
  if (place.expiration !== 0 && (place.expiration * 1000 <= state.at || place.expiration >= 2 ** 32)) return 'invalid_expiration'
  return place.postOnly && atOnce ? 'post_only_type' : null
}

const limitOf = (place: Place, condition: NaiveCondition): number =>
  place.budget > 0 ? place.price - (place.price % condition.grid) : place.price

/** Why the book rejects an order altogether, or null. */
function rejection(state: NaiveState, taker: NaiveOrder, plan: Walk, makers: NaiveOrder[]): EndReason | null {
  if (taker.place.postOnly) return makers.some((maker) => !state.isExpired(maker)) ? 'post_only_would_cross' : null
  const { orderType, selfTrade } = taker.place
  if (orderType === 'FOK') {
    if (plan.metOwn && selfTrade !== 'expire_maker') return 'self_trade'
    const filled = taker.place.budget > 0 ? plan.fills.length > 0 && plan.left < taker.price : plan.left === 0
    return filled ? null : 'fok_not_filled'
  }
  const nothing = plan.fills.length === 0 && plan.takerLess === 0 && !plan.stopped
  return nothing && orderType === 'FAK' ? 'fak_no_match' : null
}

/** Places an order. With `freed`, as if that order of the same account had already ended. */
export function place(state: NaiveState, command: Place, freed: NaiveOrder | null = null): Refusal | null {
  const known = state.orders.get(command.orderId)
  if (known) {
    if (!sameContent(known.place, command)) return 'duplicate_order'
    state.result.placed = { orderId: command.orderId, state: known.first.state, reason: null, again: true, first: known.first }
    return null
  }
  const condition = state.conditions.get(command.condition)
  const refusal = checkPlace(state, command, condition)
  if (refusal || !condition) return refusal
  const taker = newOrder(state, command, limitOf(command, condition))
  const makers = crossing(state, taker).filter((maker) => maker !== freed)
  const plan = walk(state, taker, makers)
  const rejected = rejection(state, taker, plan, makers)
  const atOnce = command.orderType === 'FOK' || command.orderType === 'FAK'
  const rest = rejected || plan.stopped || atOnce ? 0 : plan.left
  const lack = rejected ? null : lacking(state, taker, condition, plan, rest, freed)
  if (lack) return lack
  state.orders.set(command.orderId, taker)
  if (rejected) {
    taker.first.state = 'rejected'
    state.end(taker, 'rejected', rejected)
  } else {
    if (freed) state.cancel(freed, 'amend_replaced')
    execute(state, taker, condition, plan, rest)
  }
  state.result.placed = { orderId: command.orderId, state: taker.state, reason: taker.reason, again: false, first: taker.first }
  return null
}

function newOrder(state: NaiveState, command: Place, price: number): NaiveOrder {
  const first = { matched: 0, cost: 0, fee: 0, fills: 0, state: 'live' as OrderState }
  const size = { lots: command.lots, remaining: command.lots, matched: 0, cost: 0 }
  return { place: command, price, ...size, state: 'live', reason: null, seq: state.seq, at: state.at, endedAt: null, first }
}

/** Checks funds exactly: what trades now with its fee, plus the hold of what rests, against what is free before anything is released. */
function lacking(
  state: NaiveState,
  taker: NaiveOrder,
  condition: NaiveCondition,
  plan: Walk,
  rest: number,
  freed: NaiveOrder | null,
): Refusal | null {
  const { account, side, outcome, budget } = taker.place
  const matched = plan.fills.reduce((sum, fill) => sum + fill.lots, 0)
  if (budget > 0 && matched > MAX_LOTS) return 'size_too_large'
  const notional = budget > 0 ? budget : taker.price * taker.lots
  if (side === 'BUY' && plan.fills.length > 0 && notional < condition.minNotional) return 'amount_too_small'
  const cap = OPEN_ORDERS[state.account(account).tier]!
  if (rest > 0 && state.open(account).length - (freed ? 1 : 0) >= cap) return 'too_many_orders'
  const released = freed && freed.place.side === side ? (side === 'BUY' ? freed.price * freed.remaining : freed.remaining) : 0
  if (side === 'BUY') {
    const cost = plan.fills.reduce((sum, fill) => sum + fill.lots * fill.price, 0)
    const fee = feesOf(condition, plan.fills).reduce((sum, part) => sum + part, 0)
    if (cost + fee + taker.price * rest > state.freeCash(account) + released) return 'insufficient_balance'
  } else {
    const sameToken = freed?.place.condition === condition.id && freed.place.outcome === outcome
    if (matched + rest > state.freeShares(account, condition.id, outcome) + (sameToken ? released : 0)) return 'insufficient_shares'
  }
  return null
}

/** Ends and reduces own makers that the walk met instead of trading with. */
function prevent(state: NaiveState, taker: NaiveOrder, plan: Walk): void {
  for (const maker of plan.expired) state.end(maker, 'expired', 'expired')
  for (const maker of plan.prevented) state.end(maker, 'cancelled', 'stp')
  for (const { maker, lots } of plan.decremented) {
    maker.lots -= lots
    maker.remaining -= lots
    state.result.reduced.push(`${maker.place.orderId} ${maker.lots} ${maker.remaining} stp`)
  }
  if (taker.place.budget === 0) {
    taker.lots -= plan.takerLess
    taker.remaining -= plan.takerLess
  }
}

function execute(state: NaiveState, taker: NaiveOrder, condition: NaiveCondition, plan: Walk, rest: number): void {
  prevent(state, taker, plan)
  const fees = feesOf(condition, plan.fills)
  plan.fills.forEach(({ maker, lots, price }, i) => {
    const direct = maker.place.outcome === taker.place.outcome
    const kind = direct ? 'direct' : taker.place.side === 'BUY' ? 'mint' : 'merge'
    if (!direct) condition.locked += (kind === 'mint' ? 10_000 : -10_000) * lots
    exchangeSides(state, taker, lots, price)
    exchangeSides(state, maker, lots, maker.price)
    maker.remaining -= lots
    maker.state = 'partially_filled'
    if (maker.remaining === 0) state.end(maker, 'filled', null)
    const { outcome, side } = taker.place
    condition.lastTrade = { price: outcome === 0 ? price : 10_000 - price, outcome, side }
    state.result.fills.push({ maker: maker.place.orderId, taker: taker.place.orderId, kind, lots, price, fee: fees[i]! })
  })
  const fee = fees.reduce((sum, part) => sum + part, 0)
  state.pay(taker.place.account, -fee, 'fee')
  shareFee(state, condition, taker.place.account, taker.place.deployment ?? condition.creator, plan.fills, fee)
  settleTaker(state, taker, plan, rest)
  if (plan.takerLess > 0 && taker.place.budget === 0)
    state.result.reduced.push(`${taker.place.orderId} ${taker.lots} ${taker.remaining} stp`)
  taker.first = { matched: taker.matched, cost: taker.cost, fee, fills: plan.fills.length, state: taker.state }
}

/** Moves one party's cash and shares for a fill at the price of its own token. */
function exchangeSides(state: NaiveState, order: NaiveOrder, lots: number, price: number): void {
  const sign = order.place.side === 'BUY' ? 1 : -1
  state.pay(order.place.account, -sign * price * lots, 'trade')
  state.give(order.place.account, order.place.condition, order.place.outcome, sign * lots, 'trade')
  order.matched += lots
  order.cost += price * lots
}

function settleTaker(state: NaiveState, taker: NaiveOrder, plan: Walk, rest: number): void {
  const byBudget = taker.place.budget > 0
  if (byBudget) taker.lots = taker.matched
  taker.remaining = taker.lots - taker.matched
  const done = byBudget ? plan.left < taker.price : plan.left === 0
  if (rest > 0) {
    taker.state = taker.matched > 0 ? 'partially_filled' : 'live'
    state.book.push(taker)
  } else if (plan.stopped || (done && taker.matched === 0)) state.end(taker, 'cancelled', 'stp')
  else if (done) state.end(taker, 'filled', null)
  else state.end(taker, 'cancelled', 'fak_remainder')
}

/** Cancels one order and places another atomically: when the second is refused or rejected, the first stays. */
export function replace(state: NaiveState, command: CommandOf<'replace'>): Refusal | null {
  const { cancel, requireCancel, onlyIf, place: next } = command
  if (state.orders.has(next.orderId)) return place(state, next)
  const found = cancellable(state, next.account, cancel)
  const fits = typeof found !== 'string' && isAsAsked(found.matched, onlyIf)
  if (fits) return place(state, next, found)
  if (typeof found !== 'string') state.result.refusedState = found.state
  const refusal = typeof found === 'string' ? found : 'order_ended'
  if (requireCancel || refusal === 'order_not_owned') return refusal
  state.result.refusedState = null
  return place(state, next)
}

/** Whether an order may be replaced, given how much of it is filled. */
function isAsAsked(matched: number, onlyIf: OnlyIf): boolean {
  if (onlyIf === 'any') return true
  if (onlyIf === 'unfilled') return matched === 0
  return onlyIf === 'partially_filled' ? matched > 0 : matched === onlyIf.matched
}

/** The live order that an account may cancel or amend, or the refusal code. */
export function cancellable(state: NaiveState, account: Hex, orderId: Hex): NaiveOrder | Refusal {
  const order = state.orders.get(orderId)
  if (!order) return 'order_not_found'
  if (order.place.account !== account) return 'order_not_owned'
  if (order.endedAt === null && !state.isExpired(order)) return order
  state.result.refusedState = order.endedAt === null ? 'expired' : order.state
  return 'order_ended'
}
