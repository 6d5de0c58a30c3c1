import { checkRow, encodeCommand, isCancel, PLACE_NUMBER, REPLACE_NUMBER } from './codec.ts'
import type { Command, Hex, Outcome, VenueMode } from './command.ts'
import { decide } from './decide.ts'
import { type Decision, keyWords, refusedBy, rowOf } from './decision.ts'
import type { Event, OrderView, Refused } from './event.ts'
import { finish } from './finish.ts'
import { type Listener, NO_LISTENER } from './listener.ts'
import { cancel, executePlacement, namedState, planPlacement, planReplace, refusedCancel, refusedPlacement } from './orders.ts'
import { Placement } from './placement.ts'
import { Recorder } from './recorder.ts'
import { NEWEST_RULES, State, VENUE_MODES } from './state.ts'
import {
  accountView,
  type ConditionView,
  conditionView,
  type DeadManView,
  deadManViews,
  depthView,
  type HeldByOrders,
  hasOpenOrder,
  heldByOrders,
  holdingViews,
  memberViews,
  openOrderViews,
  orderView,
} from './views.ts'
import { wordsOf } from './words.ts'

/** Commands that were committed together, at one engine time in milliseconds. */
export interface Row {
  at: number
  commands: Uint8Array
  /** Rules in force when it was written: an empty exchange begins with those of its first row, without them with the newest. */
  rules?: number
}

/** What one command did; its first event is its answer. */
export interface Applied {
  seq: number
  events: Event[]
}

/**
 * The whole exchange as one deterministic state machine: its only input are committed rows (no clock, no randomness, no
 * I/O), so the same rows always give the same state. Amounts are integers: price steps, lots, millionths of a USDC.
 */
export class Exchange {
  /** All of its state; only files of this package write to it. */
  readonly state = new State()
  /** Called with a bug that was thrown while deciding about the command at `seq`, which is then refused with `internal_error`. */
  onBug: (error: unknown, seq: number) => void = () => {}
  readonly #order = new Placement()
  readonly #recorder = new Recorder(this.state)

  /** Log position of the last applied command, 0 for none. */
  get seq(): number {
    return this.state.seq
  }
  /** Engine milliseconds of the last applied row. */
  get at(): number {
    return this.state.at
  }
  /** The rules the last row was applied with. */
  get rules(): number {
    return this.state.rules
  }
  /** The rules the next row is applied with; they differ from `rules` after an upgrade. */
  get nextRules(): number {
    return this.state.nextRules
  }
  /** Which commands the venue accepts. */
  get mode(): VenueMode {
    return VENUE_MODES[this.state.mode]!
  }

  /** Applies a committed row and returns what each command did. Throws DecodeError on a malformed row before any of it is applied. */
  applyRow(row: Row): Applied[] {
    const applied: Applied[] = []
    const recorder = this.#recorder
    recorder.events = []
    this.run(row, recorder, (seq) => {
      applied.push({ seq, events: recorder.events })
      recorder.events = []
    })
    return applied
  }

  /** Applies a committed row without reporting what it did: for recovery. */
  replay(row: Row): void {
    this.run(row, NO_LISTENER)
  }

  /** Applies a row and reports to a listener, without making objects for it; `after` is called at the end of each command. */
  run(row: Row, listener: Listener, after?: (seq: number) => void): void {
    const { state } = this
    const words = wordsOf(row.commands)
    const others = checkRow(words)
    let next = 0
    state.beginRow(row.at, row.rules ?? NEWEST_RULES)
    for (let at = 0; at < words.length; at += words[at]! >>> 16) {
      state.begin()
      if (!this.#applyInPlace(words, at, listener)) this.#decide(others[next++]!, listener)
      finish(state, listener)
      after?.(state.seq)
    }
  }

  /** Applies the most frequent commands straight from their words, without decoding an object. Returns false for any other command. */
  #applyInPlace(words: Uint32Array, at: number, listener: Listener): boolean {
    const number = (words[at]! >>> 8) & 255
    if (number === PLACE_NUMBER) this.#place(words, at + 1, listener)
    else if (isCancel(number)) cancel(this.state, words, at + 1, at + 6, listener)
    else if (number === REPLACE_NUMBER) this.#replace(words, at + 1, listener)
    else return false
    return true
  }

  #place(words: Uint32Array, at: number, listener: Listener): void {
    const order = this.#order
    try {
      planPlacement(this.state, order, words, at)
    } catch (error) {
      order.refusal = 'internal_error'
      this.onBug(error, this.seq)
    }
    executePlacement(this.state, order, listener)
  }

  #replace(words: Uint32Array, at: number, listener: Listener): void {
    const order = this.#order
    try {
      planReplace(this.state, order, words, at)
    } catch (error) {
      order.refusal = 'internal_error'
      this.onBug(error, this.seq)
    }
    if (order.refusal === 'order_ended') listener.refused('order_ended', namedState(this.state, order.known), 0, 0, 0)
    else executePlacement(this.state, order, listener)
  }

  #decide(command: Command, listener: Listener): void {
    let decision: Decision
    try {
      decision = decide(this.state, command)
    } catch (error) {
      decision = 'internal_error'
      this.onBug(error, this.seq)
    }
    if (typeof decision === 'function') {
      decision(listener)
      return
    }
    const { code, details } = refusedBy(decision)
    listener.refused(code, -1, details?.available ?? 0, details?.reserved ?? 0, details?.required ?? 0)
  }

  /** Whether an account has no money and no shares, and so no order. */
  hasNothing(account: Hex): boolean {
    const { accounts } = this.state
    const row = rowOf(accounts.ids, account)
    return accounts.cash[row] === 0 && accounts.held[row] === 0 && accounts.firstHolding[row] === 0
  }

  /**
   * What a command of an account that has nothing is refused with; null where it is not refused. An order that would be rejected is refused
   * for what it lacks. Changes nothing.
   */
  refusalOfNothing(command: Command): Refused | null {
    if (command.type !== 'place' && command.type !== 'replace') {
      const decision = decide(this.state, command)
      return typeof decision === 'function' ? null : refusedBy(decision)
    }
    const planned = command.type === 'place' ? planPlacement : planReplace
    planned(this.state, this.#order, wordsOf(encodeCommand(command)), 1)
    return refusedPlacement(this.state, this.#order)
  }

  /** 16 hex digits over all writes so far. Two exchanges that applied the same rows have the same digest unless a write differed. */
  digest(): string {
    return this.state.digest.text()
  }

  /** An order that is live or ended less than ten minutes ago. */
  order(orderId: Hex): OrderView | null {
    const { orders } = this.state
    const slot = rowOf(orders.ids, orderId)
    return slot !== 0 && this.state.isRemembered(slot) ? orderView(this.state, slot) : null
  }

  /** Engine milliseconds at which a remembered order ended; null while it is open, and for an order that is not remembered. */
  endedAt(orderId: Hex): number | null {
    const { orders } = this.state
    const slot = rowOf(orders.ids, orderId)
    return slot === 0 || orders.isOpen(slot) ? null : orders.endedAt(slot)
  }

  /** Whether a remembered order was made smaller since it was placed: by its owner, or by self-trade prevention. */
  wasReduced(orderId: Hex): boolean {
    const { orders } = this.state
    const slot = rowOf(orders.ids, orderId)
    return slot !== 0 && orders.lots(slot) < orders.askedLots(slot)
  }

  /**
   * Orders of an account that hold money or shares, oldest first, from those placed after a log position. Their views are made as they are
   * asked for, before the next command. One past its expiration is shown as expired until a sweep ends it.
   */
  openOrders(account: Hex, after = 0): Generator<OrderView> {
    return openOrderViews(this.state, rowOf(this.state.accounts.ids, account), after)
  }

  /** Whether an account has an open order: in a condition where one is given, on a token of it where that is. */
  hasOpenOrder(account: Hex, condition: Hex | null, outcome: Outcome | null): boolean {
    const { accounts, conditions } = this.state
    return hasOpenOrder(this.state, rowOf(accounts.ids, account), condition && rowOf(conditions.ids, condition), outcome)
  }

  /** How the account's cancel of an order would be refused as of the last row; null where the order is open. */
  refusalOfCancel(account: Hex, orderId: Hex): Refused | null {
    return refusedCancel(this.state, account, orderId)
  }

  /** Sums of what the orders of `openOrders` hold, without building a view of each: cheap for accounts with thousands. */
  heldByOrders(account: Hex): HeldByOrders {
    return heldByOrders(this.state, rowOf(this.state.accounts.ids, account))
  }

  /** Millionths of USDC. */
  balance(account: Hex): { free: number; held: number; withdrawing: number } {
    const { accounts } = this.state
    const row = rowOf(accounts.ids, account)
    return { free: accounts.cash[row]!, held: accounts.held[row]!, withdrawing: accounts.withdrawing[row]! }
  }

  /** Lots of one token. */
  shares(account: Hex, condition: Hex, outcome: Outcome): { free: number; held: number } {
    const { accounts, conditions, holdings } = this.state
    const at = holdings.find(rowOf(accounts.ids, account), rowOf(conditions.ids, condition)) * 2 + outcome
    return { free: holdings.lots[at]!, held: holdings.held[at]! }
  }

  /** All tokens of an account, in the order in which it first got any of the condition, newest first. */
  holdings(account: Hex): { condition: Hex; outcome: Outcome; free: number; held: number }[] {
    return holdingViews(this.state, rowOf(this.state.accounts.ids, account))
  }

  /** Terms and current state of a condition. */
  condition(condition: Hex): ConditionView | null {
    const row = rowOf(this.state.conditions.ids, condition)
    return row === 0 ? null : conditionView(this.state, row)
  }

  /** A neg-risk event: its members in order of registration, the lots converted in it, and the millionths kept for those. */
  event(id: Hex): { size: number; members: Hex[]; converted: number; cash: number } | null {
    const { events } = this.state
    const row = rowOf(events.ids, id)
    if (row === 0) return null
    return { size: events.size[row]!, members: memberViews(this.state, row), converted: events.converted[row]!, cash: events.cash[row]! }
  }

  /** Up to `levels` of each side, best first, price in steps of the asked token and lots. */
  depth(condition: Hex, outcome: Outcome, levels: number): { bids: [number, number][]; asks: [number, number][] } {
    return depthView(this.state, rowOf(this.state.conditions.ids, condition), outcome, levels)
  }

  /** Whether a request id was used within the last two minutes: a command with it would change nothing. */
  knowsRequest(id: Hex): boolean {
    return this.state.requests.has(keyWords(id), 0, this.at)
  }

  /** Whether the engine has an account for this address: it once owned something, or was named as a creator or referrer. */
  isAccount(account: Hex): boolean {
    return rowOf(this.state.accounts.ids, account) !== 0
  }

  /** Referrer, limits and ban of an account. */
  account(account: Hex): { referrer: Hex | null; tier: number; stpGroup: number; banned: boolean } {
    return accountView(this.state, rowOf(this.state.accounts.ids, account))
  }

  /** Armed dead-man switches. */
  deadMen(): DeadManView[] {
    return deadManViews(this.state)
  }

  /** Engine milliseconds at which a sweep has work: an expiry, a dead-man deadline, a closed book; null when nothing waits. */
  nextDue(): number | null {
    const { conditions, expiries, deadlines, at } = this.state
    if (conditions.firstClosing !== 0) return at
    const expiry = expiries.size > 0 ? expiries.time[1]! * 1000 : Number.POSITIVE_INFINITY
    const deadline = deadlines.size > 0 ? deadlines.time[1]! : Number.POSITIVE_INFINITY
    const due = Math.min(expiry, deadline)
    return due === Number.POSITIVE_INFINITY ? null : due
  }
}
