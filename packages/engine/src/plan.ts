import { MAX_ORDER_LOTS } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { MAX_SUPPLY } from '@augury/units/usdc'
import { OPEN_ORDERS_BY_TIER } from './accounts.ts'
import { CANCEL_ONLY, OPEN, PAUSED } from './conditions.ts'
import type { Refusal } from './event.ts'
import * as Order from './order-terms.ts'
import type { Placement } from './placement.ts'
import { type State, VENUE_MODES } from './state.ts'

/** The latest expiration of a GTD order, in Unix seconds: the column has 32 bits. */
const LAST_SECOND = 0xffff_ffff

/**
 * Decides everything about a placement and changes nothing: whether it is refused, whom it meets, what it pays, and what
 * becomes of the rest. The order of the checks is the documented precedence of refusals.
 */
export function plan(state: State, order: Placement): void {
  order.refusal = refusalOf(state, order)
  if (order.refusal !== null) return
  const { orders, accounts, conditions } = state
  const { condition, match } = order
  match.walk(orders, accounts.group, conditions.ladders[condition], order, conditions.feeBps[condition]!, state.at)
  const { state: conclusion, reason } = conclusionOf(order)
  order.state = conclusion
  order.reason = reason
  if (conclusion <= Order.PARTIALLY_FILLED) order.rest = match.left
  if (conclusion === Order.REJECTED) return
  order.refusal = budgetRefusal(order) ?? notionalRefusal(state, order) ?? fundsRefusal(state, order)
  if (match.totalFee > 0 && order.refusal === null) order.fees.compute(state, order)
}

function refusalOf(state: State, order: Placement): Refusal | null {
  const { conditions, accounts } = state
  const { condition, account } = order
  const mode = VENUE_MODES[state.mode]!
  if (mode === 'paused') return 'venue_paused'
  if (mode === 'cancel_only') return 'cancel_only'
  if (mode === 'post_only' && !order.postOnly) return 'post_only_mode'
  if (condition === 0) return 'unknown_token'
  const conditionMode = conditions.mode[condition]!
  if (conditionMode !== OPEN)
    return conditionMode === PAUSED ? 'market_paused' : conditionMode === CANCEL_ONLY ? 'cancel_only' : 'market_closed'
  if (accounts.banned[account] !== 0) return 'account_banned'
  return (
    priceRefusal(order, conditions.grid[condition]!) ?? sizeRefusal(order, conditions.minLots[condition]!) ?? timeRefusal(order, state.at)
  )
}

function priceRefusal(order: Placement, grid: number): Refusal | null {
  if (order.budget > 0) order.price -= order.price % grid
  if (order.price % grid !== 0) return 'invalid_price_tick'
  return order.price < grid || order.price > ONE - grid ? 'price_out_of_range' : null
}

function sizeRefusal(order: Placement, minLots: number): Refusal | null {
  if (order.budget > 0) {
    if (order.lots > 0 || order.side !== Order.BUY || !order.isImmediate) return 'invalid_amount'
    if (order.budget > MAX_SUPPLY) return 'size_too_large'
    return order.budget < order.price ? 'amount_too_small' : null
  }
  if (order.lots > MAX_ORDER_LOTS) return 'size_too_large'
  return order.lots < 1 || (order.lots < minLots && !order.isImmediate) ? 'size_too_small' : null
}

function timeRefusal(order: Placement, now: number): Refusal | null {
  const { expiration } = order
  const isRight = order.type === Order.GTD ? expiration * 1000 > now && expiration <= LAST_SECOND : expiration === 0
  if (!isRight) return 'invalid_expiration'
  return order.postOnly && order.isImmediate ? 'post_only_type' : null
}

/** The order's final or resting state, given its match. */
function conclusionOf(order: Placement): Conclusion {
  const { match, type } = order
  const isComplete = order.budget > 0 ? match.left < order.price : match.left === 0
  if (order.postOnly && match.crosses) return WOULD_CROSS
  if (type === Order.FOK) return match.selfTradeRejects ? SELF_TRADE : isComplete ? FILLED : NOT_FILLED
  if (match.stopped || (isComplete && match.matched === 0)) return STOPPED
  if (isComplete) return FILLED
  if (type !== Order.FAK) return match.matched > 0 ? RESTS_IN_PART : RESTS
  return match.matched === 0 && match.decremented === 0 ? NO_MATCH : REMAINDER
}

interface Conclusion {
  state: number
  reason: number
}

const because = (state: number, reason: Parameters<typeof Order.endReason>[0]): Conclusion => ({ state, reason: Order.endReason(reason) })
const FILLED: Conclusion = { state: Order.FILLED, reason: 0 }
const RESTS: Conclusion = { state: Order.LIVE, reason: 0 }
const RESTS_IN_PART: Conclusion = { state: Order.PARTIALLY_FILLED, reason: 0 }
const STOPPED = because(Order.CANCELLED, 'stp')
const REMAINDER = because(Order.CANCELLED, 'fak_remainder')
const NO_MATCH = because(Order.REJECTED, 'fak_no_match')
const NOT_FILLED = because(Order.REJECTED, 'fok_not_filled')
const SELF_TRADE = because(Order.REJECTED, 'self_trade')
const WOULD_CROSS = because(Order.REJECTED, 'post_only_would_cross')

/** An order by budget has no size of its own; at low prices its budget could buy more lots than an order may have. */
function budgetRefusal({ budget, match }: Placement): Refusal | null {
  return budget > 0 && match.matched > MAX_ORDER_LOTS ? 'size_too_large' : null
}

function notionalRefusal(state: State, order: Placement): Refusal | null {
  if (order.side !== Order.BUY || order.match.fills === 0) return null
  const notional = order.budget > 0 ? order.budget : order.price * order.lots
  return notional < state.conditions.minNotional[order.condition]! ? 'amount_too_small' : null
}

/** Exact funds against what is free now, plus what the replaced order holds; what self-trade prevention frees does not count. */
function fundsRefusal(state: State, order: Placement): Refusal | null {
  const { accounts, holdings, orders } = state
  const { account, match, replaced, rest } = order
  const cap = OPEN_ORDERS_BY_TIER[accounts.tier[account]!]!
  if (rest > 0 && accounts.openOrders[account]! - (replaced === 0 ? 0 : 1) >= cap) return 'too_many_orders'
  if (order.side === Order.BUY) {
    const freed = replaced !== 0 && orders.side(replaced) === Order.BUY ? orders.price(replaced) * orders.remaining(replaced) : 0
    order.available = accounts.cash[account]! + freed
    order.reserved = accounts.held[account]! - freed
    order.required = match.cost + match.totalFee + order.price * rest
    return order.required > order.available ? 'insufficient_balance' : null
  }
  const frees = replaced !== 0 && orders.side(replaced) === Order.SELL && orders.condition(replaced) === order.condition
  const freed = frees && orders.outcome(replaced) === order.outcome ? orders.remaining(replaced) : 0
  const at = holdings.find(account, order.condition) * 2 + order.outcome
  order.available = holdings.lots[at]! + freed
  order.reserved = holdings.held[at]! - freed
  order.required = match.matched + rest
  return order.required > order.available ? 'insufficient_shares' : null
}
