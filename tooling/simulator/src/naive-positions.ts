import type { CommandOf, Hex } from '@augury/engine/command'
import type { Refusal } from '@augury/engine/event'
import type { NaiveCondition, NaiveState } from './naive-state.ts'

const ONE = 10_000

/** Whether a signed request was seen before; it is then answered as before and does nothing. */
function repeated(state: NaiveState, request: Hex): boolean {
  const at = state.requests.get(request)
  return at !== undefined && state.at - at < 120_000
}

const badLots = (lots: number): Refusal | null =>
  lots < 1 ? 'invalid_amount' : lots * ONE > 4_000_000_000_000_000 ? 'size_too_large' : null

/** The refusal of a condition that is not open to new positions. */
const CLOSED_TO_ENTRY = { paused: 'market_paused', cancel_only: 'cancel_only', closed: 'market_closed', resolved: 'market_closed' } as const

/** Whether an account may take on new positions at all. */
function mayEnter(state: NaiveState, account: Hex): Refusal | null {
  if (state.mode === 'paused') return 'venue_paused'
  return state.account(account).banned ? 'account_banned' : null
}

/** Splits one USDC per share into Yes and No, or merges them back. */
export function splitOrMerge(state: NaiveState, command: CommandOf<'split' | 'merge'>): Refusal | null {
  const { account, lots, request } = command
  if (repeated(state, request)) return null
  const split = command.type === 'split'
  const barred = split ? mayEnter(state, account) : null
  if (barred) return barred
  const condition = state.conditions.get(command.condition)
  if (!condition) return 'unknown_token'
  if (split && condition.mode !== 'open') return CLOSED_TO_ENTRY[condition.mode]
  if (condition.mode === 'resolved') return 'condition_not_open'
  const wrong = badLots(lots)
  if (wrong) return wrong
  if (split && ONE * lots > state.freeCash(account)) return 'insufficient_balance'
  const free = Math.min(state.freeShares(account, condition.id, 0), state.freeShares(account, condition.id, 1))
  if (!split && lots > free) return 'insufficient_shares'
  const sign = split ? 1 : -1
  state.pay(account, -sign * ONE * lots, command.type)
  condition.locked += sign * ONE * lots
  for (const outcome of [0, 1] as const) state.give(account, condition.id, outcome, sign * lots, command.type)
  state.requests.set(request, state.at)
  return null
}

/** Converts No of several conditions of an event into cash and the Yes of all others. */
export function convert(state: NaiveState, command: CommandOf<'convert'>): Refusal | null {
  const { account, conditions: ids, lots, request } = command
  if (repeated(state, request)) return null
  const barred = mayEnter(state, account)
  if (barred) return barred
  const event = state.events.get(command.event)
  if (!event) return 'unknown_token'
  if (event.members.length < event.size) return 'event_incomplete'
  const all = event.members.map((id) => state.conditions.get(id)!)
  const alive = (condition: NaiveCondition) => condition.mode === 'open' || (condition.mode === 'resolved' && condition.weight === 0)
  if (!all.every(alive)) return 'condition_not_open'
  const wrong = badLots(lots)
  if (wrong) return wrong
  if (ids.length === 0 || new Set(ids).size !== ids.length) return 'invalid_amount'
  for (const id of ids) {
    if (!event.members.includes(id)) return 'unknown_token'
    if (state.conditions.get(id)!.mode !== 'open') return 'condition_not_open'
    if (state.freeShares(account, id, 1) < lots) return 'insufficient_shares'
  }
  const chosen = all.filter((condition) => ids.includes(condition.id))
  for (const condition of all) {
    if (chosen.includes(condition)) {
      state.give(account, condition.id, 1, -lots, 'convert')
      condition.locked -= ONE * lots
    } else if (condition.mode !== 'resolved') {
      state.give(account, condition.id, 0, lots, 'convert')
    }
  }
  event.converted += lots
  event.cash += ONE * lots
  state.pay(account, (chosen.length - 1) * ONE * lots, 'convert')
  state.requests.set(request, state.at)
  return null
}

/** Resolves a condition: a Yes lot is worth so many millionths, a No lot the rest. */
export function resolve(state: NaiveState, { condition: id, weight }: CommandOf<'resolve'>): Refusal | null {
  const condition = state.conditions.get(id)
  if (!condition) return 'unknown_token'
  if (condition.mode === 'resolved') return 'condition_not_open'
  const event = condition.event ? state.events.get(condition.event)! : null
  if (event && event.members.length < event.size) return 'event_incomplete'
  if (state.book.some((order) => order.place.condition === id)) return 'condition_not_empty'
  if (!Number.isInteger(weight) || weight < 0 || weight > ONE) return 'invalid_weight'
  if (event) {
    const others = event.members.filter((member) => member !== id).map((member) => state.conditions.get(member)!)
    const sum = others.reduce((total, other) => total + (other.weight ?? 0), weight)
    const last = others.every((other) => other.mode === 'resolved')
    if (sum > ONE || (last && sum !== ONE)) return 'invalid_weight'
  }
  condition.mode = 'resolved'
  condition.weight = weight
  if (event) {
    condition.locked += event.converted * weight
    event.cash -= event.converted * weight
  }
  return null
}

/** Pays one account for all that it holds of a resolved condition. */
export function redeem(state: NaiveState, { account, condition: id, request }: CommandOf<'redeem'>): Refusal | null {
  if (repeated(state, request)) return null
  const condition = state.conditions.get(id)
  if (!condition) return 'unknown_token'
  if (condition.mode !== 'resolved') return 'condition_not_resolved'
  if (state.shares(account, id, 0) + state.shares(account, id, 1) > 0) payOut(state, condition, account)
  state.requests.set(request, state.at)
  return null
}

/** Pays holders of a resolved condition, at most `limit`. The order is the exchange's choice, given by `paid`. */
export function redeemAll(state: NaiveState, { condition: id, limit }: CommandOf<'redeem_all'>, paid: Hex[]): Refusal | null {
  const condition = state.conditions.get(id)
  if (!condition) return 'unknown_token'
  if (condition.mode !== 'resolved') return 'condition_not_resolved'
  const holders = [...state.accounts.keys()].filter((account) => state.shares(account, id, 0) + state.shares(account, id, 1) > 0)
  const turn = paid.filter((account) => holders.includes(account))
  // Accounts that once held shares and have none left take a turn too, without a trace.
  const emptied = [...state.accounts.values()].filter(({ shares }) => shares.get(id)?.every((lots) => lots === 0)).length
  const least = Math.min(Math.max(limit - emptied, 0), holders.length)
  if (turn.length > limit || turn.length < least) throw new Error(`redeem_all paid ${turn.length} of ${holders.length} holders`)
  for (const account of turn) payOut(state, condition, account)
  return null
}

function payOut(state: NaiveState, condition: NaiveCondition, account: Hex): void {
  const [yes, no] = state.accounts.get(account)?.shares.get(condition.id) ?? [0, 0]
  const payout = yes * condition.weight! + no * (ONE - condition.weight!)
  state.pay(account, payout, 'redeem')
  state.give(account, condition.id, 0, -yes, 'redeem')
  state.give(account, condition.id, 1, -no, 'redeem')
  condition.locked -= payout
  state.account(account).shares.delete(condition.id)
}
