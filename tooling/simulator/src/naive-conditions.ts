import type { Command } from '@augury/engine/command'
import type { Refusal } from '@augury/engine/event'
import type { NaiveState } from './naive-state.ts'

const GRIDS = [1000, 100, 50, 25, 10, 1]

type Of<T extends Command['type']> = Extract<Command, { type: T }>

/** Opens a condition, and with the first of its kind the event it belongs to. */
export function register(state: NaiveState, command: Of<'register'>): Refusal | null {
  const { condition: id, event } = command
  if (state.conditions.has(id)) return 'condition_exists'
  if (!GRIDS.includes(command.grid)) return 'invalid_price_tick'
  if (command.feeBps > 10_000 || command.rebateBps + command.affiliateBps > 10_000) return 'invalid_amount'
  if (event) {
    const known = state.events.get(event.id)
    if (known && (known.members.length >= known.size || known.size !== event.size)) return 'event_full'
    if (!known) state.events.set(event.id, { size: event.size, members: [], converted: 0, cash: 0 })
    state.events.get(event.id)!.members.push(id)
  }
  const { creator, grid, minLots, minNotional, feeBps, rebateBps, affiliateBps } = command
  const rates = { feeBps, rebateBps, affiliateBps }
  const opened = { id, mode: 'open' as const, event: event?.id ?? null, weight: null, locked: 0 }
  state.conditions.set(id, { ...opened, creator, grid, minLots, minNotional, ...rates })
  return null
}

/** Changes mode, grid or fee. A grid only gets finer, and every old price stays on it. */
export function setCondition(state: NaiveState, command: Of<'set_condition'>): Refusal | null {
  const condition = state.conditions.get(command.condition)
  if (!condition) return 'unknown_token'
  if (condition.mode === 'resolved' || (condition.mode === 'closed' && command.mode !== 'closed')) return 'condition_not_open'
  const { grid, mode, feeBps } = command
  if (grid !== null && (!GRIDS.includes(grid) || condition.grid % grid !== 0)) return 'invalid_price_tick'
  if (feeBps !== null && feeBps > 10_000) return 'invalid_amount'
  if (mode !== null) condition.mode = mode
  if (grid !== null) condition.grid = grid
  if (feeBps !== null) condition.feeBps = feeBps
  return null
}

/** Ends due orders, at most `limit`. Which come first is the exchange's choice, told by `ended`: `id state reason`. */
export function sweep(state: NaiveState, { limit }: Of<'sweep'>, ended: string[]): Refusal | null {
  const due = new Map(dueOrders(state).map((text) => [text.split(' ')[0]!, text]))
  const turn = due.size <= limit ? [...due.values()] : ended
  inOrderOfTime(state, ended)
  if (turn.length !== Math.min(limit, due.size)) throw new Error(`sweep ended ${turn.length} of ${due.size} due orders`)
  for (const text of turn) {
    const [id, orderState, reason] = text.split(' ')
    if (due.get(id!) !== text) throw new Error(`sweep ended ${text}, due is ${due.get(id!)}`)
    const order = state.book.find((other) => other.place.orderId === id)!
    state.end(order, orderState as typeof order.state, reason as typeof order.reason)
  }
  for (const [id, account] of state.accounts) {
    if (account.deadMan && account.deadMan.deadline <= state.at && state.open(id).length === 0) account.deadMan = null
  }
  return null
}

/** Orders expire in the order of their time, and of one time the oldest first. */
function inOrderOfTime(state: NaiveState, ended: string[]): void {
  const expired = ended
    .filter((text) => text.endsWith(' expired'))
    .map((text) => state.book.find((order) => text.startsWith(order.place.orderId)))
  for (let i = 1; i < expired.length; i++) {
    const [before, after] = [expired[i - 1]!, expired[i]!]
    const byAccount = state.account(before.place.account).deadMan ?? state.account(after.place.account).deadMan
    if (byAccount) continue // a fired dead-man switch ends all orders of its account, in the order of their coming
    const order = before.place.expiration - after.place.expiration || before.seq - after.seq
    if (order > 0) throw new Error(`${before.place.orderId} expired before ${after.place.orderId}`)
  }
}

/** Every order that has to end by now, as `id state reason`. */
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
