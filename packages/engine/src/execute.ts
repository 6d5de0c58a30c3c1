import { ONE } from '@augury/units/price'
import { endOrder, expireOrder, leaveBook } from './endings.ts'
import type { Listener } from './listener.ts'
import { END_OWN, EXPIRE, FILL, REDUCE_OWN } from './match.ts'
import * as Order from './order-terms.ts'
import type { Placement } from './placement.ts'
import type { State } from './state.ts'

const STP = Order.endReason('stp')
const AMEND_REPLACED = Order.endReason('amend_replaced')

/** Writes what `plan` decided, then reports it. Cannot fail: everything was checked before. */
export function execute(state: State, order: Placement, listener: Listener): void {
  if (order.account === 0) order.account = state.accounts.open(order.words, order.accountAt)
  const slot = insertOrder(state, order)
  if (order.state !== Order.REJECTED) {
    if (order.replaced !== 0) endOrder(state, order.replaced, Order.CANCELLED, AMEND_REPLACED)
    if (order.match.count > 0) applyMatch(state, order)
    if (order.match.totalFee > 0) payFee(state, order)
  }
  if (order.rest > 0) rest(state, slot, order)
  else state.orders.remember(slot, state.at)
  report(order, slot, listener, state)
}

/** Stores the order in a slot of its own, rejected ones too: a retry must find the first answer. */
function insertOrder(state: State, order: Placement): number {
  const { orders } = state
  const { match } = order
  const isRejected = order.state === Order.REJECTED
  const byBudget = order.budget > 0
  const matched = isRejected ? 0 : match.matched
  if (order.forgotten !== 0) orders.drop(order.forgotten)
  const slot = orders.insert(order.words, order.idAt)
  const lots = byBudget ? matched : order.lots - (isRejected ? 0 : match.decremented)
  orders.open(slot, order.account, order.condition, flagsOf(order), order.price, lots - matched)
  orders.setTerms(slot, lots, isRejected ? 0 : match.cost, order.expiration)
  orders.setAsked(slot, order.askedPrice, order.lots, order.budget)
  orders.setPlaced(slot, state.seq, state.at)
  orders.keep(slot, order.words, order.annexAt, order.annexBytes, matched > 0 ? match : null)
  state.digest.add(slot, lots)
  state.digest.add(order.price, order.expiration)
  return slot
}

/** The packed flags of a new order; `OrderStore` documents the bits. */
function flagsOf(order: Placement): number {
  const asked = order.outcome | (order.side << 1) | (order.type << 2) | (order.postOnly ? 16 : 0)
  return asked | (order.state << 5) | (order.reason << 8) | (order.state << 13)
}

/** Applies every step of the match: fills, and makers that end or shrink without trading. */
function applyMatch(state: State, order: Placement): void {
  const { match } = order
  for (let step = 0; step < match.count; step++) {
    const maker = match.slot[step]!
    const lots = match.lots[step]!
    const action = match.action[step]!
    if (action === FILL) fill(state, order, maker, lots)
    else if (action === EXPIRE) expireOrder(state, maker)
    else if (action === END_OWN) endOrder(state, maker, Order.CANCELLED, STP)
    else reduceOrder(state, maker, lots)
  }
}

/** One fill at the maker's price: cash and tokens change hands, or a pair of tokens is minted or merged. */
function fill(state: State, order: Placement, maker: number, lots: number): void {
  const { orders, ledger, conditions } = state
  const { condition, account, outcome } = order
  const owner = orders.account(maker)
  const makerOutcome = orders.outcome(maker)
  const makerPrice = orders.price(maker)
  const price = makerOutcome === outcome ? makerPrice : ONE - makerPrice
  const isBuy = order.side === Order.BUY
  const makerBuys = orders.side(maker) === Order.BUY
  if (isBuy === makerBuys) {
    const minted = isBuy ? lots : -lots
    ledger.lock(condition, ONE * minted)
    ledger.issue(condition, 0, minted)
    ledger.issue(condition, 1, minted)
  }
  if (makerBuys) {
    ledger.payHeld(owner, makerPrice * lots, 'trade')
    ledger.tokens(owner, condition, makerOutcome, lots, 'trade')
  } else {
    ledger.deliverHeld(owner, condition, makerOutcome, lots, 'trade')
    ledger.cash(owner, makerPrice * lots, 'trade')
  }
  if (isBuy) {
    ledger.cash(account, -price * lots, 'trade')
    ledger.tokens(account, condition, outcome, lots, 'trade')
  } else {
    ledger.tokens(account, condition, outcome, -lots, 'trade')
    ledger.cash(account, price * lots, 'trade')
  }
  conditions.lastPrice[condition] = outcome === 0 ? price : ONE - price
  conditions.lastTaker[condition] = outcome | (order.side << 1)
  takeFromMaker(state, maker, lots, makerPrice * lots)
}

function takeFromMaker(state: State, maker: number, lots: number, cost: number): void {
  const { orders } = state
  orders.take(maker, lots)
  orders.addCost(maker, cost)
  lowerLevel(state, maker, lots)
  if (orders.remaining(maker) > 0) {
    orders.setState(maker, Order.PARTIALLY_FILLED, 0)
    return
  }
  leaveBook(state, maker)
  orders.setState(maker, Order.FILLED, 0)
  orders.remember(maker, state.at)
}

/** Takes lots off the price level of an order that shrank without leaving its queue. */
function lowerLevel(state: State, slot: number, lots: number): void {
  const { orders, conditions } = state
  const condition = orders.condition(slot)
  const ladder = conditions.ladder(condition)
  const bookPrice = orders.bookPrice(slot)
  ladder.lots[bookPrice / ladder.grid]! -= lots
  state.touched.add(condition, bookPrice, orders.isBid(slot))
  state.digest.add(slot, orders.remaining(slot))
}

/** Makes a resting order smaller; it keeps its place and gives back what it holds for the difference. */
export function reduceOrder(state: State, slot: number, lots: number): void {
  const { orders, ledger } = state
  orders.shrink(slot, lots)
  lowerLevel(state, slot, lots)
  if (orders.side(slot) === Order.BUY) ledger.hold(orders.account(slot), -orders.price(slot) * lots)
  else ledger.holdTokens(orders.account(slot), orders.condition(slot), orders.outcome(slot), -lots)
}

function payFee(state: State, order: Placement): void {
  const { ledger, accounts, conditions } = state
  const { fees } = order
  ledger.cash(order.account, -order.match.totalFee, 'fee')
  for (let i = 0; i < fees.count; i++) if (fees.rebate[i]! > 0) ledger.cash(fees.maker[i]!, fees.rebate[i]!, 'rebate')
  if (fees.affiliate > 0) ledger.cash(fees.referrer, fees.affiliate, 'affiliate')
  if (fees.remainder === 0) return
  const feeAccount = order.deploymentAt === 0 ? conditions.creator[order.condition]! : accounts.open(order.words, order.deploymentAt)
  ledger.cash(feeAccount, fees.remainder, 'fee')
}

/** Puts the unmatched rest into the book and holds exactly what it may cost. */
function rest(state: State, slot: number, order: Placement): void {
  const { orders, accounts, conditions, ledger } = state
  const { account, condition, outcome } = order
  if (order.side === Order.BUY) ledger.hold(account, order.price * order.rest)
  else ledger.holdTokens(account, condition, outcome, order.rest)
  const ladder = conditions.ladder(condition)
  const bookPrice = orders.bookPrice(slot)
  const isBid = orders.isBid(slot)
  ladder.append(orders, slot, bookPrice / ladder.grid, isBid)
  accounts.link(orders, slot)
  if (order.expiration !== 0) state.expiries.push(order.expiration, state.seq, slot)
  state.touched.add(condition, bookPrice, isBid)
}

/** Reports the placement: the answer first, then what became of the orders it met, in the order of the walk. */
function report(order: Placement, slot: number, listener: Listener, state: State): void {
  const { match } = order
  const { orders } = state
  listener.placed(slot, false)
  if (order.state === Order.REJECTED) {
    listener.ended(slot)
    return
  }
  if (order.replaced !== 0) listener.ended(order.replaced)
  let n = 0
  for (let step = 0; step < match.count; step++) {
    const maker = match.slot[step]!
    const action = match.action[step]!
    if (action === FILL) listener.fill(++n, slot, maker, match.lots[step]!, match.fee[step]!)
    if (action === REDUCE_OWN) listener.reduced(maker, 'stp')
    else if (!orders.isOpen(maker)) listener.ended(maker)
  }
  if (match.decremented > 0 && order.budget === 0) listener.reduced(slot, 'stp')
  if (order.rest === 0) listener.ended(slot)
}
