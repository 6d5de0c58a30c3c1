import { ONE } from '@augury/units/price'
import { MAX_SUPPLY } from '@augury/units/usdc'
import type { CommandOf, Hex } from './command.ts'
import { CLOSED, OPEN, PAUSED, RESOLVED } from './conditions.ts'
import { type Decision, keyWords, lacking, rowOf } from './decision.ts'
import type { Refusal } from './event.ts'
import { type State, VENUE_MODES } from './state.ts'

const MAX_LOTS = MAX_SUPPLY / ONE

/** One USDC becomes one Yes and one No. */
export function split(state: State, { account, condition, lots, request }: CommandOf<'split'>): Decision {
  const { accounts, conditions, ledger } = state
  const owner = rowOf(accounts.ids, account)
  const row = rowOf(conditions.ids, condition)
  return once(state, request, () => {
    const refusal = entryRefusal(state, owner) ?? openRefusal(state, row) ?? lotsRefusal(lots)
    if (refusal !== null) return refusal
    const free = accounts.cash[owner]!
    if (free < lots * ONE) return lacking('insufficient_balance', free, accounts.held[owner]!, lots * ONE)
    return () => {
      ledger.cash(owner, -lots * ONE, 'split')
      ledger.lock(row, lots * ONE)
      for (const outcome of [0, 1]) {
        ledger.issue(row, outcome, lots)
        ledger.tokens(owner, row, outcome, lots, 'split')
      }
    }
  })
}

/** One Yes and one No become one USDC. */
export function merge(state: State, { account, condition, lots, request }: CommandOf<'merge'>): Decision {
  const { accounts, conditions, holdings, ledger } = state
  const owner = rowOf(accounts.ids, account)
  const row = rowOf(conditions.ids, condition)
  return once(state, request, () => {
    if (row === 0) return 'unknown_token'
    if (conditions.mode[row] === RESOLVED) return 'condition_not_open'
    const refusal = lotsRefusal(lots)
    if (refusal !== null) return refusal
    const yes = holdings.find(owner, row) * 2
    const scarce = holdings.lots[yes + 1]! < holdings.lots[yes]! ? yes + 1 : yes
    if (holdings.lots[scarce]! < lots) return lacking('insufficient_shares', holdings.lots[scarce]!, holdings.held[scarce]!, lots)
    return () => {
      ledger.cash(owner, lots * ONE, 'merge')
      ledger.lock(row, -lots * ONE)
      for (const outcome of [0, 1]) {
        ledger.issue(row, outcome, -lots)
        ledger.tokens(owner, row, outcome, -lots, 'merge')
      }
    }
  })
}

/**
 * No tokens of a set of an event's conditions become cash for all but one of them, and a Yes of every other condition:
 * worth the same whichever condition comes true.
 */
export function convert(state: State, command: CommandOf<'convert'>): Decision {
  const { accounts, conditions, events, holdings, ledger } = state
  const { lots } = command
  const owner = rowOf(accounts.ids, command.account)
  const event = rowOf(events.ids, command.event)
  return once(state, command.request, () => {
    const refusal = entryRefusal(state, owner) ?? eventRefusal(state, event) ?? lotsRefusal(lots)
    if (refusal !== null) return refusal
    if (command.conditions.length === 0 || new Set(command.conditions).size !== command.conditions.length) return 'invalid_amount'
    const members = command.conditions.map((condition) => rowOf(conditions.ids, condition))
    for (const row of members) {
      if (row === 0 || conditions.event[row] !== event) return 'unknown_token'
      if (conditions.mode[row] !== OPEN) return 'condition_not_open'
      const no = holdings.find(owner, row) * 2 + 1
      if (holdings.lots[no]! < lots) return lacking('insufficient_shares', holdings.lots[no]!, holdings.held[no]!, lots)
    }
    const others: number[] = []
    for (let row = events.firstMember[event]!; row !== 0; row = conditions.nextMember[row]!) {
      if (!members.includes(row) && conditions.mode[row] !== RESOLVED) others.push(row)
    }
    return () => {
      for (const row of members) {
        ledger.tokens(owner, row, 1, -lots, 'convert')
        ledger.issue(row, 1, -lots)
        ledger.lock(row, -lots * ONE)
      }
      events.converted[event]! += lots
      ledger.lockEvent(event, lots * ONE)
      if (members.length > 1) ledger.cash(owner, (members.length - 1) * lots * ONE, 'convert')
      for (const row of others) {
        ledger.issue(row, 0, lots)
        ledger.tokens(owner, row, 0, lots, 'convert')
      }
    }
  })
}

/** Pays an account for all it holds of a resolved condition. */
export function redeem(state: State, { account, condition, request }: CommandOf<'redeem'>): Decision {
  const { accounts, conditions, holdings } = state
  const owner = rowOf(accounts.ids, account)
  const row = rowOf(conditions.ids, condition)
  return once(state, request, () => {
    if (row === 0) return 'unknown_token'
    if (conditions.mode[row] !== RESOLVED) return 'condition_not_resolved'
    const holding = holdings.find(owner, row)
    if (holdings.lots[holding * 2]! + holdings.lots[holding * 2 + 1]! === 0) return (listener) => listener.done()
    return () => pay(state, holding)
  })
}

/** Pays holders of a resolved condition, at most `limit` of them; one that has sold everything counts, so that no row takes long. */
export function redeemAll(state: State, { condition, limit }: CommandOf<'redeem_all'>): Decision {
  const { conditions } = state
  const row = rowOf(conditions.ids, condition)
  if (row === 0) return 'unknown_token'
  if (conditions.mode[row] !== RESOLVED) return 'condition_not_resolved'
  return (listener) => {
    listener.done()
    for (let paid = 0; paid < limit && conditions.firstHolder[row] !== 0; paid++) pay(state, conditions.firstHolder[row]!)
  }
}

function pay(state: State, holding: number): void {
  const { accounts, conditions, holdings, ledger } = state
  const owner = holdings.account[holding]!
  const row = holdings.condition[holding]!
  const weights = [conditions.weight[row]!, ONE - conditions.weight[row]!] as const
  let payout = 0
  for (const outcome of [0, 1] as const) {
    const lots = holdings.lots[holding * 2 + outcome]!
    if (lots === 0) continue
    payout += lots * weights[outcome]
    ledger.tokens(owner, row, outcome, -lots, 'redeem')
    ledger.issue(row, outcome, -lots)
  }
  if (payout > 0) {
    ledger.lock(row, -payout)
    ledger.cash(owner, payout, 'redeem')
  }
  holdings.drop(holding, accounts.firstHolding, conditions.firstHolder)
}

/** Makes a signed request take effect once: a known id is answered with `done`. A refused request may be sent again. */
function once(state: State, request: Hex, decide: () => Decision): Decision {
  const words = keyWords(request)
  if (state.requests.has(words, 0, state.at)) return (listener) => listener.done()
  const decision = decide()
  if (typeof decision !== 'function') return decision
  return (listener) => {
    state.requests.add(words, 0, state.at)
    decision(listener)
  }
}

function entryRefusal(state: State, account: number): Refusal | null {
  if (VENUE_MODES[state.mode] === 'paused') return 'venue_paused'
  return state.accounts.banned[account] !== 0 ? 'account_banned' : null
}

function openRefusal(state: State, condition: number): Refusal | null {
  if (condition === 0) return 'unknown_token'
  const mode = state.conditions.mode[condition]!
  if (mode === OPEN) return null
  return mode === PAUSED ? 'market_paused' : mode >= CLOSED ? 'market_closed' : 'cancel_only'
}

/** An event converts when it is complete, all its unresolved conditions are open, and none that is resolved came true in part. */
function eventRefusal(state: State, event: number): Refusal | null {
  const { events, conditions } = state
  if (event === 0) return 'unknown_token'
  if (events.members[event] !== events.size[event]) return 'event_incomplete'
  for (let row = events.firstMember[event]!; row !== 0; row = conditions.nextMember[row]!) {
    const isLost = conditions.mode[row] === RESOLVED && conditions.weight[row] === 0
    if (conditions.mode[row] !== OPEN && !isLost) return 'condition_not_open'
  }
  return null
}

const lotsRefusal = (lots: number): Refusal | null => (lots < 1 ? 'invalid_amount' : lots > MAX_LOTS ? 'size_too_large' : null)
