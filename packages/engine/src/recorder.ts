import { ONE } from '@augury/units/price'
import { CONDITION_MODES, RESOLVED } from './conditions.ts'
import type { EntryReason, Event, Refusal } from './event.ts'
import type { Listener } from './listener.ts'
import { SIDES, STATES } from './order-terms.ts'
import { type State, VENUE_MODES } from './state.ts'
import { accountView, orderView } from './views.ts'

/** A listener that records what a command did as plain events. */
export class Recorder implements Listener {
  events: Event[] = []
  readonly #state: State

  constructor(state: State) {
    this.#state = state
  }

  refused(code: Refusal, state: number, available: number, reserved: number, required: number): void {
    const details = required > 0 ? { available, reserved, required } : null
    this.events.push({ type: 'refused', code, details, state: state < 0 ? null : STATES[state]! })
  }

  placed(slot: number, again: boolean): void {
    this.events.push({ type: 'placed', order: orderView(this.#state, slot), again })
  }

  fill(n: number, taker: number, maker: number, lots: number, fee: number): void {
    const { orders, conditions } = this.#state
    const isDirect = orders.side(taker) !== orders.side(maker)
    const kind = isDirect ? 'direct' : SIDES[orders.side(taker)] === 'BUY' ? 'mint' : 'merge'
    const makerSide = { ...this.#party(maker), remaining: orders.remaining(maker), annex: orders.annex(maker) }
    const takerPrice = orders.outcome(taker) === orders.outcome(maker) ? orders.price(maker) : ONE - orders.price(maker)
    const row = orders.condition(taker)
    const [condition, feeBps] = [conditions.ids.name(row), conditions.feeBps[row]!]
    const takerSide = { ...this.#party(taker), price: takerPrice }
    this.events.push({ type: 'fill', n, condition, kind, lots, taker: takerSide, maker: makerSide, fee, feeBps })
  }

  #party(slot: number) {
    const { orders, accounts } = this.#state
    return {
      orderId: orders.ids.text(slot),
      account: accounts.ids.name(orders.account(slot)),
      outcome: orders.outcome(slot),
      side: SIDES[orders.side(slot)]!,
      price: orders.price(slot),
    }
  }

  reduced(slot: number, reason: 'amend' | 'stp'): void {
    const { orders, accounts } = this.#state
    const account = accounts.ids.name(orders.account(slot))
    this.events.push({
      type: 'reduced',
      orderId: orders.ids.text(slot),
      account,
      lots: orders.lots(slot),
      remaining: orders.remaining(slot),
      reason,
    })
  }

  ended(slot: number): void {
    this.events.push({ type: 'ended', order: orderView(this.#state, slot) })
  }

  entry(account: number, asset: number, delta: number, balance: number, reason: EntryReason): void {
    const { accounts, conditions } = this.#state
    const token = asset === 0 ? null : { condition: conditions.ids.name(asset >>> 1), outcome: (asset & 1) as 0 | 1 }
    this.events.push({ type: 'entry', account: accounts.ids.name(account), asset: token, delta, balance, reason })
  }

  level(condition: number, isBid: boolean, bookPrice: number, lots: number): void {
    const id = this.#state.conditions.ids.name(condition)
    this.events.push({ type: 'level', condition: id, side: isBid ? 'bid' : 'ask', price: bookPrice, lots })
  }

  condition(condition: number, change: 'registered' | 'mode' | 'grid' | 'fee' | 'resolved'): void {
    const { ids, mode, grid, weight } = this.#state.conditions
    const isResolved = mode[condition] === RESOLVED
    this.events.push({
      type: 'condition',
      condition: ids.name(condition),
      change,
      mode: CONDITION_MODES[mode[condition]!]!,
      grid: grid[condition]!,
      weight: isResolved ? weight[condition]! : null,
    })
  }

  account(account: number): void {
    this.events.push({ type: 'account', account: this.#state.accounts.ids.name(account), ...accountView(this.#state, account) })
  }

  mode(): void {
    this.events.push({ type: 'mode', mode: VENUE_MODES[this.#state.mode]! })
  }

  done(): void {
    this.events.push({ type: 'done' })
  }
}
