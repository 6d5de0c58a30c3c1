import type { NaiveOrder, NaiveState } from './naive-state.ts'

const ONE = 10_000

export interface PlannedFill {
  maker: NaiveOrder
  lots: number
  /** In the taker's token. */
  price: number
}

/** The planned result of walking the book. Nothing is done yet. */
export interface Walk {
  fills: PlannedFill[]
  expired: NaiveOrder[]
  /** Own makers to end. */
  prevented: NaiveOrder[]
  /** Own makers to reduce, and by how much. */
  decremented: { maker: NaiveOrder; lots: number }[]
  /** Lots of the taker decremented against its own makers. */
  takerLess: number
  /** Lots that are left, or millionths for an order by budget. */
  left: number
  /** Whether meeting an own maker stops the taker. */
  stopped: boolean
  metOwn: boolean
}

/** Whether an order is a bid in terms of Yes: buys Yes or sells No. Prices of both sides are in Yes steps. */
export const isBid = (order: NaiveOrder): boolean => (order.place.side === 'BUY') === (order.place.outcome === 0)
export const yesPrice = (order: NaiveOrder): number => (order.place.outcome === 0 ? order.price : ONE - order.price)

/** Live orders that a taker could trade with, best price first, then the oldest. */
export function crossing(state: NaiveState, taker: NaiveOrder): NaiveOrder[] {
  const direction = isBid(taker) ? 1 : -1
  return state.book
    .filter((maker) => maker.place.condition === taker.place.condition && isBid(maker) !== isBid(taker))
    .filter((maker) => direction * (yesPrice(taker) - yesPrice(maker)) >= 0)
    .sort((a, b) => direction * (yesPrice(a) - yesPrice(b)) || a.seq - b.seq)
}

function sameOwner(state: NaiveState, a: NaiveOrder, b: NaiveOrder): boolean {
  if (a.place.account === b.place.account) return true
  const group = state.account(a.place.account).stpGroup
  return group !== 0 && group === state.account(b.place.account).stpGroup
}

/** Walks the book for a taker, as if every maker it meets traded, ended or shrank at once. */
export function walk(state: NaiveState, taker: NaiveOrder, makers: NaiveOrder[]): Walk {
  const byBudget = taker.place.budget > 0
  const mode = taker.place.selfTrade
  const plan: Walk = {
    fills: [],
    expired: [],
    prevented: [],
    decremented: [],
    takerLess: 0,
    left: byBudget ? taker.place.budget : taker.lots,
    stopped: false,
    metOwn: false,
  }
  for (const maker of makers) {
    const price = taker.place.outcome === 0 ? yesPrice(maker) : ONE - yesPrice(maker)
    const wanted = byBudget ? Math.floor(plan.left / price) : plan.left
    if (wanted === 0) break
    if (state.isExpired(maker)) {
      plan.expired.push(maker)
      continue
    }
    const lots = Math.min(wanted, maker.remaining)
    if (mode !== 'none' && sameOwner(state, taker, maker)) {
      plan.metOwn = true
      if (mode === 'expire_maker') {
        plan.prevented.push(maker)
        continue
      }
      if (mode === 'decrement') {
        if (lots === maker.remaining) plan.prevented.push(maker)
        else plan.decremented.push({ maker, lots })
        if (lots === wanted) {
          plan.stopped = true
          break
        }
        plan.takerLess += lots
        plan.left -= byBudget ? lots * price : lots
        continue
      }
      if (mode === 'expire_both') plan.prevented.push(maker)
      plan.stopped = true
      break
    }
    plan.fills.push({ maker, lots, price })
    plan.left -= byBudget ? lots * price : lots
  }
  return plan
}
