import { isDeepStrictEqual } from 'node:util'
import type { Hex, Outcome } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import type { NaiveExchange } from './naive.ts'
import { dueOrders } from './naive-conditions.ts'
import { isBid, yesPrice } from './naive-match.ts'
import { emptyResult, type NaiveOrder, type Result } from './naive-state.ts'

/** Two results, or two states, that should be equal. */
export interface Difference {
  where: string
  engine: unknown
  naive: unknown
}

/** Converts the engine's events to the form that is compared. */
export function resultOf(events: Event[]): Result {
  const result = emptyResult()
  for (const event of events) {
    if (event.type === 'refused') {
      result.refused = event.code
      result.refusedState = event.state
    } else if (event.type === 'placed') {
      const { orderId, state, reason, first } = event.order
      result.placed = { orderId, state: event.again ? first.state : state, reason: event.again ? null : reason, again: event.again, first }
    } else if (event.type === 'fill') {
      const { taker, maker, kind, lots, fee } = event
      const price = taker.outcome === maker.outcome ? maker.price : 10_000 - maker.price
      result.fills.push({ maker: maker.orderId, taker: taker.orderId, kind, lots, price, fee })
    } else if (event.type === 'ended') {
      result.ended.push(`${event.order.orderId} ${event.order.state} ${event.order.reason}`)
    } else if (event.type === 'reduced') {
      result.reduced.push(`${event.orderId} ${event.lots} ${event.remaining} ${event.reason}`)
    } else if (event.type === 'entry' && event.delta !== 0) {
      result.entries[nameOf(event)] = event.delta
    }
  }
  return result
}

const nameOf = ({ account, asset, reason }: Extract<Event, { type: 'entry' }>): string =>
  `${account} ${asset ? `${asset.condition} ${asset.outcome}` : 'USDC'} ${reason}`

/** The first difference between two results of one command, or null. The order in which orders end is ignored. */
export function compareResults(engine: Result, naive: Result): Difference | null {
  const sorted = (result: Result): Result => ({ ...result, ended: [...result.ended].sort(), reduced: [...result.reduced].sort() })
  const [a, b] = [sorted(engine), sorted(naive)]
  for (const key of Object.keys(b) as (keyof Result)[]) {
    if (!isDeepStrictEqual(a[key], b[key])) return { where: key, engine: a[key], naive: b[key] }
  }
  return null
}

/** The first difference between the states of the two exchanges, or null. Compares everything. */
export function compareStates(engine: Exchange, naive: NaiveExchange): Difference | null {
  const at = (where: string, a: unknown, b: unknown): Difference | null => (isDeepStrictEqual(a, b) ? null : { where, engine: a, naive: b })
  const first = at('seq, at, mode', [engine.seq, engine.at, engine.mode], [naive.seq, naive.at, naive.mode])
  if (first) return first
  const due = dueOrders(naive).length > 0
  if (due && !((engine.nextDue() ?? Number.POSITIVE_INFINITY) <= naive.at))
    return { where: 'nextDue', engine: engine.nextDue(), naive: naive.at }
  const armed = [...naive.accounts].flatMap(([id, { deadMan }]) => (deadMan ? [`${id} ${deadMan.deadline} ${deadMan.reason}`] : []))
  const switches = engine.deadMen().map(({ account, deadline, reason }) => `${account} ${deadline} ${reason}`)
  const second = at('dead-man switches', switches.sort(), armed.sort())
  if (second) return second
  for (const account of naive.accounts.keys()) {
    const difference = compareAccount(engine, naive, account, at)
    if (difference) return difference
  }
  for (const id of naive.conditions.keys()) {
    const difference = compareCondition(engine, naive, id, at)
    if (difference) return difference
  }
  for (const [id, event] of naive.events) {
    const difference = at(`event ${id}`, engine.event(id), event)
    if (difference) return difference
  }
  for (const [id, order] of naive.orders) {
    const difference = compareOrder(engine, naive, id, order, at)
    if (difference) return difference
  }
  return at('supply', engine.state.supply, naive.supply)
}

type At = (where: string, a: unknown, b: unknown) => Difference | null

function compareAccount(engine: Exchange, naive: NaiveExchange, id: Hex, at: At): Difference | null {
  const account = naive.account(id)
  const held = naive.heldCash(id)
  const cash = at(`balance ${id}`, engine.balance(id), { free: account.cash - held, held, withdrawing: account.withdrawing })
  if (cash) return cash
  const holdings = engine
    .holdings(id)
    .map(({ condition, outcome, free, held }) => `${condition} ${outcome} ${free} ${held}`)
    .sort()
  const expected: string[] = []
  for (const [condition, pair] of account.shares) {
    for (const outcome of [0, 1] as Outcome[]) {
      if (pair[outcome] === 0) continue
      expected.push(`${condition} ${outcome} ${naive.freeShares(id, condition, outcome)} ${naive.heldShares(id, condition, outcome)}`)
    }
  }
  const shares = at(`holdings ${id}`, holdings, expected.sort())
  if (shares) return shares
  const open = Array.from(
    engine.openOrders(id),
    (order) => `${order.orderId} ${order.state} ${order.lots} ${order.remaining} ${order.matched} ${order.matchedCost}`,
  )
  const orders = at(
    `openOrders ${id}`,
    open,
    naive.open(id).map((order) => describe(order, naive.isExpired(order))),
  )
  if (orders) return orders
  const { referrer, tier, stpGroup, banned } = account
  const view = engine.account(id)
  return at(`account ${id}`, [view.referrer, view.tier, view.stpGroup, view.banned], [referrer, tier, stpGroup, banned])
}

/** Compares everything that is reported of an order, open or ended, with how it was placed. */
function compareOrder(engine: Exchange, naive: NaiveExchange, id: Hex, order: NaiveOrder, at: At): Difference | null {
  const { place, price, lots, remaining, matched, cost, seq, endedAt, first } = order
  const { orderId, account, condition, outcome, side, orderType, expiration, postOnly } = place
  const isUnswept = endedAt === null && naive.isExpired(order)
  const [state, reason] = isUnswept ? ['expired', 'expired'] : [order.state, order.reason]
  const placed = { orderId, account, condition, outcome, side, orderType, price, expiration, postOnly, seq, at: order.at, first }
  const expected = { ...placed, lots, budget: place.budget, remaining, matched, matchedCost: cost, state, reason, annex: [...place.annex] }
  const view = engine.order(id)
  const difference = at(`order ${id}`, view && { ...view, annex: [...view.annex] }, expected)
  if (difference) return difference
  return at(`order ${id} endedAt, wasReduced`, [engine.endedAt(id), engine.wasReduced(id)], [endedAt, lots < place.lots])
}

/** An order past its expiration is reported as expired while it still holds something. */
function describe(order: NaiveOrder, isExpired: boolean): string {
  return `${order.place.orderId} ${isExpired ? 'expired' : order.state} ${order.lots} ${order.remaining} ${order.matched} ${order.cost}`
}

function compareCondition(engine: Exchange, naive: NaiveExchange, id: Hex, at: At): Difference | null {
  const expected = naive.conditions.get(id)!
  const view = engine.condition(id)
  const supply = { yes: 0, no: 0 }
  for (const { shares } of naive.accounts.values()) {
    supply.yes += shares.get(id)?.[0] ?? 0
    supply.no += shares.get(id)?.[1] ?? 0
  }
  const { id: _, ...told } = expected
  const difference = at(`condition ${id}`, view, { ...told, supply })
  if (difference) return difference
  const levels: Record<'bids' | 'asks', [number, number][]> = { bids: [], asks: [] }
  for (const order of naive.book) {
    if (order.place.condition !== id) continue
    const side = levels[isBid(order) ? 'bids' : 'asks']
    const level = side.find(([price]) => price === yesPrice(order))
    if (level) level[1] += order.remaining
    else side.push([yesPrice(order), order.remaining])
  }
  levels.bids.sort((a, b) => b[0] - a[0])
  levels.asks.sort((a, b) => a[0] - b[0])
  const mirror = (side: [number, number][]): [number, number][] => side.map(([price, lots]) => [10_000 - price, lots])
  return (
    at(`depth ${id}`, engine.depth(id, 0, 10_000), levels) ??
    at(`mirrored depth ${id}`, engine.depth(id, 1, 10_000), { bids: mirror(levels.asks), asks: mirror(levels.bids) })
  )
}
