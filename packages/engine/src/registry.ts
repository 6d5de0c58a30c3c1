import { isGrid, ONE } from '@augury/units/price'
import { OPEN_ORDERS_BY_TIER } from './accounts.ts'
import type { CommandOf } from './command.ts'
import { CLOSED, CONDITION_MODES, RESOLVED } from './conditions.ts'
import { type Decision, keyWords, rowOf } from './decision.ts'
import { endReason } from './order-terms.ts'
import { NEWEST_RULES, type State, VENUE_MODES } from './state.ts'

/** A new condition, by itself or as a member of a neg-risk event. */
export function register(state: State, command: CommandOf<'register'>): Decision {
  const { accounts, conditions } = state
  const id = keyWords(command.condition)
  const creator = keyWords(command.creator)
  if (conditions.ids.find(id, 0) !== 0) return 'condition_exists'
  if (!isGrid(command.grid)) return 'invalid_price_tick'
  if (command.feeBps > ONE || command.rebateBps + command.affiliateBps > ONE) return 'invalid_amount'
  if (command.event !== null && !fits(state, command.event)) return 'event_full'
  return (listener) => {
    const row = conditions.insert(id, 0)
    conditions.creator[row] = accounts.open(creator, 0)
    conditions.grid[row] = command.grid
    conditions.minLots[row] = command.minLots
    conditions.minNotional[row] = command.minNotional
    conditions.feeBps[row] = command.feeBps
    conditions.rebateBps[row] = command.rebateBps
    conditions.affiliateBps[row] = command.affiliateBps
    if (command.event !== null) join(state, row, command.event)
    for (const term of [command.grid, command.minLots, command.minNotional, command.feeBps, command.rebateBps, command.affiliateBps]) {
      state.digest.add(row, term)
    }
    listener.condition(row, 'registered')
  }
}

/** A neg-risk event and how many conditions it will have, as a registration says it. */
type EventTerms = NonNullable<CommandOf<'register'>['event']>

/** Makes a condition a member of its event, which begins with its first. */
function join({ conditions, events, digest }: State, row: number, { id, size }: EventTerms): void {
  const known = rowOf(events.ids, id)
  const at = known !== 0 ? known : events.insert(keyWords(id), 0)
  events.size[at] = size
  conditions.event[row] = at
  if (events.members[at] === 0) events.firstMember[at] = row
  else conditions.nextMember[events.lastMember[at]!] = row
  events.lastMember[at] = row
  events.members[at]!++
  digest.add(row, at)
}

/** Whether an event, known or new, has room for one more member and is said to be of the size it has. */
function fits({ events }: State, { id, size }: EventTerms): boolean {
  const row = rowOf(events.ids, id)
  return row === 0 ? size >= 1 : events.size[row] === size && events.members[row]! < size
}

/** Changes a condition's mode, grid (only to a finer one) and fee. Once closed it stays closed. */
export function setCondition(state: State, { condition, mode, grid, feeBps }: CommandOf<'set_condition'>): Decision {
  const { conditions } = state
  const row = rowOf(conditions.ids, condition)
  if (row === 0) return 'unknown_token'
  if (conditions.mode[row]! >= CLOSED && !(mode === 'closed' && conditions.mode[row] === CLOSED)) return 'condition_not_open'
  if (grid !== null && (!isGrid(grid) || conditions.grid[row]! % grid !== 0)) return 'invalid_price_tick'
  if (feeBps !== null && feeBps > ONE) return 'invalid_amount'
  return (listener) => {
    if (grid !== null) {
      conditions.grid[row] = grid
      conditions.ladders[row] = conditions.ladders[row]?.refined(grid)
      listener.condition(row, 'grid')
    }
    if (feeBps !== null) {
      conditions.feeBps[row] = feeBps
      listener.condition(row, 'fee')
    }
    if (mode !== null) {
      if (mode === 'closed' && conditions.mode[row] !== CLOSED) close(state, row)
      conditions.mode[row] = CONDITION_MODES.indexOf(mode)
      listener.condition(row, 'mode')
    }
    for (const term of [conditions.mode[row]!, conditions.grid[row]!, conditions.feeBps[row]!]) state.digest.add(row, term)
    if (mode === null && grid === null && feeBps === null) listener.done()
  }
}

/** Queues a condition's orders for the sweeps. */
function close(state: State, row: number): void {
  const { conditions } = state
  if (conditions.resting(row) === 0) {
    conditions.ladders[row] = undefined
    return
  }
  if (conditions.lastClosing === 0) conditions.firstClosing = row
  else conditions.nextClosing[conditions.lastClosing] = row
  conditions.lastClosing = row
}

/**
 * Sets what a Yes is worth. Inside an event the weights never exceed one USDC together and make exactly one with the last;
 * the money that conversions moved from the condition to the event comes back as far as it is owed.
 */
export function resolve(state: State, { condition, weight }: CommandOf<'resolve'>): Decision {
  const { conditions, events, ledger } = state
  const row = rowOf(conditions.ids, condition)
  if (row === 0) return 'unknown_token'
  if (conditions.mode[row] === RESOLVED) return 'condition_not_open'
  const event = conditions.event[row]!
  if (event !== 0 && events.members[event] !== events.size[event]) return 'event_incomplete'
  if (conditions.resting(row) > 0) return 'condition_not_empty'
  if (weight > ONE) return 'invalid_weight'
  if (event !== 0) {
    const sum = events.weights[event]! + weight
    const isLast = events.resolved[event]! + 1 === events.size[event]
    if (sum > ONE || (isLast && sum !== ONE)) return 'invalid_weight'
  }
  return (listener) => {
    conditions.mode[row] = RESOLVED
    conditions.weight[row] = weight
    conditions.ladders[row] = undefined
    if (event !== 0) {
      const moved = events.converted[event]! * weight
      events.weights[event]! += weight
      events.resolved[event]!++
      ledger.lockEvent(event, -moved)
      ledger.lock(row, moved)
    }
    state.digest.add(row, weight)
    listener.condition(row, 'resolved')
  }
}

/** Sets which commands the venue accepts. */
export function setMode(state: State, { mode }: CommandOf<'set_mode'>): Decision {
  return (listener) => {
    state.mode = VENUE_MODES.indexOf(mode)
    state.digest.add(0, state.mode)
    listener.mode()
  }
}

/** Changes what is not null. The first referrer stays, and no account refers itself. */
export function setAccount(state: State, { account, referrer, tier, stpGroup, banned }: CommandOf<'set_account'>): Decision {
  const { accounts } = state
  const id = keyWords(account)
  const referrerId = referrer === null ? null : keyWords(referrer)
  if (tier !== null && tier >= OPEN_ORDERS_BY_TIER.length) return 'invalid_amount'
  return (listener) => {
    const row = accounts.open(id, 0)
    if (referrerId !== null) {
      const by = accounts.open(referrerId, 0)
      if (by !== row && accounts.referrer[row] === 0) accounts.referrer[row] = by
    }
    if (tier !== null) accounts.tier[row] = tier
    if (stpGroup !== null) accounts.group[row] = stpGroup
    if (banned !== null) accounts.banned[row] = banned ? 1 : 0
    for (const mark of [accounts.referrer[row]!, accounts.tier[row]!, accounts.group[row]!, accounts.banned[row]!])
      state.digest.add(row, mark)
    listener.account(row)
  }
}

/** Arms an account's dead-man switch, again if it was armed, or disarms it. */
export function deadMan(state: State, { account, deadline, reason }: CommandOf<'dead_man'>): Decision {
  const { accounts, deadlines } = state
  const id = keyWords(account)
  return (listener) => {
    const row = accounts.open(id, 0)
    if (accounts.deadline[row] !== 0) deadlines.remove(row)
    accounts.deadReason[row] = endReason(reason)
    if (deadline > 0) deadlines.push(deadline, state.rules > 2 ? state.seq : row, row)
    state.digest.add(row, deadline)
    listener.done()
  }
}

/** Sets the rules from the next row on: any newer ones this code knows, or the same again. */
export function upgrade(state: State, { rules }: CommandOf<'upgrade'>): Decision {
  if (rules < state.rules || rules > NEWEST_RULES) return 'invalid_amount'
  return (listener) => {
    state.nextRules = rules
    state.digest.add(0, rules)
    listener.done()
  }
}
