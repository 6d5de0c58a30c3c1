import type { CommandOf, Hex } from '@augury/engine/command'
import type { EndReason, Refusal } from '@augury/engine/event'
import { yesPrice } from './naive-match.ts'
import type { NaiveAccount, NaiveOrder, NaiveState } from './naive-state.ts'

const GRIDS = [1000, 100, 50, 25, 10, 1]

/** Registers a condition, and its event with the event's first condition. */
export function register(state: NaiveState, command: CommandOf<'register'>): Refusal | null {
  const { condition: id, event } = command
  if (state.conditions.has(id)) return 'condition_exists'
  if (!GRIDS.includes(command.grid)) return 'invalid_price_tick'
  if (command.feeBps > 10_000 || command.rebateBps + command.affiliateBps > 10_000) return 'invalid_amount'
  if (event) {
    const known = state.events.get(event.id)
    if (event.size < 1 || (known && (known.members.length >= known.size || known.size !== event.size))) return 'event_full'
    if (!known) state.events.set(event.id, { size: event.size, members: [], converted: 0, cash: 0 })
    state.events.get(event.id)!.members.push(id)
  }
  const { creator, grid, minLots, minNotional, feeBps, rebateBps, affiliateBps } = command
  const rates = { feeBps, rebateBps, affiliateBps }
  const opened = { id, mode: 'open' as const, event: event?.id ?? null, weight: null, locked: 0, lastTrade: null }
  state.conditions.set(id, { ...opened, creator, grid, minLots, minNotional, ...rates })
  return null
}

/** Changes mode, grid or fee. A grid only gets finer, so that every old price stays on it. */
export function setCondition(state: NaiveState, command: CommandOf<'set_condition'>): Refusal | null {
  const condition = state.conditions.get(command.condition)
  if (!condition) return 'unknown_token'
  if (condition.mode === 'resolved' || (condition.mode === 'closed' && command.mode !== 'closed')) return 'condition_not_open'
  const { grid, mode, feeBps } = command
  if (grid !== null && (!GRIDS.includes(grid) || condition.grid % grid !== 0)) return 'invalid_price_tick'
  if (feeBps !== null && feeBps > 10_000) return 'invalid_amount'
  if (mode === 'closed' && condition.mode !== 'closed' && state.book.some((order) => order.place.condition === condition.id))
    state.closing.push(condition.id)
  if (mode !== null) condition.mode = mode
  if (grid !== null) condition.grid = grid
  if (feeBps !== null) condition.feeBps = feeBps
  return null
}

/**
 * Ends what is due, at most `limit` of it: orders of fired dead-man switches in order of firing, then expired orders by their time, then
 * closed books in order of closing, from the lowest price up. Switches and books end with their last order and count too.
 */
export function sweep(state: NaiveState, { limit }: CommandOf<'sweep'>): Refusal | null {
  let left = limit
  const cancel = (orders: NaiveOrder[], reason: EndReason) => {
    for (const order of orders.slice(0, Math.max(left, 0))) {
      state.cancel(order, reason)
      left--
    }
  }
  for (const [id, account, { reason }] of firedSwitches(state)) {
    if (left <= 0) break
    cancel(state.open(id), reason)
    if (state.open(id).length > 0) break
    account.deadMan = null
    left--
  }
  const expired = state.book.filter((order) => state.isExpired(order))
  cancel(
    expired.sort((a, b) => a.place.expiration - b.place.expiration || a.seq - b.seq),
    'expired',
  )
  while (left > 0 && state.closing.length > 0) {
    const resting = () => state.book.filter((order) => order.place.condition === state.closing[0]).sort((a, b) => yesPrice(a) - yesPrice(b))
    cancel(resting(), 'market_closed')
    if (resting().length > 0) break
    state.closing.shift()
    left--
  }
  return null
}

/** Of those due at one time, the first armed first. */
function firedSwitches(state: NaiveState): [Hex, NaiveAccount, NonNullable<NaiveAccount['deadMan']>][] {
  const armed = [...state.accounts].flatMap(([id, account]) => (account.deadMan ? [[id, account, account.deadMan] as const] : []))
  return armed
    .filter(([, , { deadline }]) => deadline <= state.at)
    .sort(([, , a], [, , b]) => a.deadline - b.deadline || a.armed - b.armed)
    .map(([id, account, deadMan]) => [id, account, deadMan])
}

/** Every order that must have ended by now, as `id state reason`. */
export function dueOrders(state: NaiveState): string[] {
  return state.book.flatMap((order) => {
    const { orderId, account, condition } = order.place
    const { deadMan } = state.account(account)
    if (state.isExpired(order)) return [`${orderId} expired expired`]
    if (deadMan && deadMan.deadline <= state.at) return [`${orderId} cancelled ${deadMan.reason}`]
    if (state.conditions.get(condition)!.mode === 'closed') return [`${orderId} cancelled market_closed`]
    return []
  })
}
