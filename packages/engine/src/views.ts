import { ONE } from '@augury/units/price'
import type { ConditionMode, Hex, Outcome, Side } from './command.ts'
import { CONDITION_MODES, RESOLVED } from './conditions.ts'
import type { OrderView } from './event.ts'
import * as Order from './order-terms.ts'
import type { State } from './state.ts'

/** An armed dead-man switch: when it fires, in engine milliseconds, and the reason its cancels get. */
export interface DeadManView {
  account: Hex
  deadline: number
  reason: 'heartbeat' | 'disconnect'
}

/** Every armed dead-man switch, in the order of the heap. */
export const deadManViews = ({ deadlines, accounts }: State): DeadManView[] =>
  Array.from({ length: deadlines.size }, (_, index) => {
    const row = deadlines.item[index + 1]!
    const reason = Order.END_REASONS[accounts.deadReason[row]!] as DeadManView['reason']
    return { account: accounts.ids.name(row), deadline: deadlines.time[index + 1]!, reason }
  })

/** Terms and current state of a condition. Money in millionths, sizes in lots, prices in Yes steps. */
export interface ConditionView {
  mode: ConditionMode
  grid: number
  minLots: number
  minNotional: number
  feeBps: number
  rebateBps: number
  affiliateBps: number
  creator: Hex
  event: Hex | null
  /** Millionths per Yes lot once resolved. */
  weight: number | null
  locked: number
  /** Lots in circulation. */
  supply: { yes: number; no: number }
  lastTrade: { price: number; outcome: Outcome; side: Side } | null
}

/** The view of an order. One past its expiration is shown as expired, swept or not. */
export function orderView(state: State, slot: number): OrderView {
  const { orders, accounts, conditions } = state
  const isOpen = orders.isOpen(slot)
  const isExpired = isOpen && orders.isDue(slot, state.at)
  const lots = orders.lots(slot)
  const remaining = orders.remaining(slot)
  const first = orders.first(slot)
  return {
    orderId: orders.ids.text(slot),
    account: accounts.ids.name(orders.account(slot)),
    condition: conditions.ids.name(orders.condition(slot)),
    outcome: orders.outcome(slot),
    side: Order.SIDES[orders.side(slot)]!,
    orderType: Order.ORDER_TYPES[orders.type(slot)]!,
    price: orders.price(slot),
    lots,
    budget: orders.budget(slot),
    remaining,
    matched: lots - remaining,
    matchedCost: orders.cost(slot),
    expiration: orders.expiration(slot),
    postOnly: orders.postOnly(slot),
    state: isExpired ? 'expired' : Order.STATES[orders.state(slot)]!,
    reason: isExpired ? 'expired' : Order.END_REASONS[orders.reason(slot)]!,
    seq: orders.seq(slot),
    at: orders.at(slot),
    first: {
      matched: first.matched,
      cost: first.cost,
      fee: first.totalFee,
      fills: first.fills,
      state: Order.STATES[orders.firstState(slot)]!,
    },
    annex: orders.annex(slot),
  }
}

/** Open orders of an account after a log position, oldest first: all that hold money or shares. One past its expiration is shown as expired. */
export function* openOrderViews(state: State, account: number, after: number): Generator<OrderView> {
  const { orders, accounts } = state
  for (let slot = accounts.firstOrder[account]!; slot !== 0; slot = orders.newer(slot)) {
    if (orders.seq(slot) > after) yield orderView(state, slot)
  }
}

/** Whether an account has an open order: in a condition where one is given, on a token of it where that is. */
export function hasOpenOrder({ orders, accounts }: State, account: number, condition: number | null, outcome: Outcome | null): boolean {
  for (let slot = accounts.firstOrder[account]!; slot !== 0; slot = orders.newer(slot)) {
    if (condition === null) return true
    if (orders.condition(slot) === condition && (outcome === null || orders.outcome(slot) === outcome)) return true
  }
  return false
}

/** Millionths that open orders hold, and lots by the key `condition outcome`. */
export interface HeldByOrders {
  cash: number
  lots: Map<string, number>
}

/** What the open orders of an account hold, summed from the orders: the check of the sums that the ledger keeps. */
export function heldByOrders(state: State, account: number): HeldByOrders {
  const { orders, accounts, conditions } = state
  let cash = 0
  const rows = new Map<number, number>()
  for (let slot = accounts.firstOrder[account]!; slot !== 0; slot = orders.newer(slot)) {
    if (orders.side(slot) === Order.BUY) cash += orders.price(slot) * orders.remaining(slot)
    else {
      const row = orders.condition(slot) * 2 + orders.outcome(slot)
      rows.set(row, (rows.get(row) ?? 0) + orders.remaining(slot))
    }
  }
  const lots = new Map<string, number>()
  for (const [row, sum] of rows) lots.set(`${conditions.ids.name(row >>> 1)} ${row & 1}`, sum)
  return { cash, lots }
}

/** The view of an account. */
export function accountView(state: State, account: number): { referrer: Hex | null; tier: number; stpGroup: number; banned: boolean } {
  const { accounts } = state
  const referrer = accounts.referrer[account]!
  return {
    referrer: referrer === 0 ? null : accounts.ids.name(referrer),
    tier: accounts.tier[account]!,
    stpGroup: accounts.group[account]!,
    banned: accounts.banned[account] !== 0,
  }
}

/** The view of a condition. */
export function conditionView(state: State, condition: number): ConditionView {
  const { conditions, accounts, events } = state
  const event = conditions.event[condition]!
  const last = conditions.lastPrice[condition]!
  const taker = conditions.lastTaker[condition]!
  return {
    mode: CONDITION_MODES[conditions.mode[condition]!]!,
    grid: conditions.grid[condition]!,
    minLots: conditions.minLots[condition]!,
    minNotional: conditions.minNotional[condition]!,
    feeBps: conditions.feeBps[condition]!,
    rebateBps: conditions.rebateBps[condition]!,
    affiliateBps: conditions.affiliateBps[condition]!,
    creator: accounts.ids.name(conditions.creator[condition]!),
    event: event === 0 ? null : events.ids.name(event),
    weight: conditions.mode[condition] === RESOLVED ? conditions.weight[condition]! : null,
    locked: conditions.locked[condition]!,
    supply: { yes: conditions.supply[condition * 2]!, no: conditions.supply[condition * 2 + 1]! },
    lastTrade: last === 0 ? null : { price: last, outcome: (taker & 1) as Outcome, side: Order.SIDES[taker >>> 1]! },
  }
}

/** Conditions of an event in the order of registration. */
export function memberViews(state: State, event: number): Hex[] {
  const { conditions, events } = state
  const members: Hex[] = []
  for (let row = events.firstMember[event]!; row !== 0; row = conditions.nextMember[row]!) members.push(conditions.ids.name(row))
  return members
}

/** Up to `levels` of each side, best first, in steps of the asked token. */
export function depthView(
  state: State,
  condition: number,
  outcome: Outcome,
  levels: number,
): { bids: [number, number][]; asks: [number, number][] } {
  const ladder = state.conditions.ladders[condition]
  if (ladder === undefined) return { bids: [], asks: [] }
  const bids: [number, number][] = []
  const asks: [number, number][] = []
  for (let level = ladder.bestBid; level > 0 && bids.length < levels; level = ladder.below(level))
    bids.push([level * ladder.grid, ladder.lots[level]!])
  for (let level = ladder.bestAsk; level < ladder.size && asks.length < levels; level = ladder.above(level)) {
    asks.push([level * ladder.grid, ladder.lots[level]!])
  }
  if (outcome === 0) return { bids, asks }
  const mirrored = ([price, lots]: [number, number]): [number, number] => [ONE - price, lots]
  return { bids: asks.map(mirrored), asks: bids.map(mirrored) }
}

/** All tokens of an account. */
export function holdingViews(state: State, account: number): { condition: Hex; outcome: Outcome; free: number; held: number }[] {
  const { accounts, conditions, holdings } = state
  const views: { condition: Hex; outcome: Outcome; free: number; held: number }[] = []
  for (let row = accounts.firstHolding[account]!; row !== 0; row = holdings.next(row)) {
    for (const outcome of [0, 1] as const) {
      const [free, held] = [holdings.lots[row * 2 + outcome]!, holdings.held[row * 2 + outcome]!]
      if (free + held > 0) views.push({ condition: conditions.ids.name(holdings.condition[row]!), outcome, free, held })
    }
  }
  return views
}
