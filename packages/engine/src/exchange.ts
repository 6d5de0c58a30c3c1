import { checkRow, isCancel, PLACE_NUMBER, REPLACE_NUMBER } from './codec.ts'
import type { Command, Hex, Outcome, VenueMode } from './command.ts'
import { type Decision, rowOf } from './decision.ts'
import { sweep } from './endings.ts'
import type { Event, OrderView } from './event.ts'
import { finish } from './finish.ts'
import { type Listener, NOBODY } from './listener.ts'
import { deposit, endWithdrawal, withdraw } from './money.ts'
import { cancel, cancelAll, executePlacement, namedState, planPlacement, planReplace, reduce } from './orders.ts'
import { Placement } from './placement.ts'
import { Recorder } from './recorder.ts'
import { deadMan, register, resolve, setAccount, setCondition, setMode, upgrade } from './registry.ts'
import { NEWEST_RULES, State, VENUE_MODES } from './state.ts'
import { convert, merge, redeem, redeemAll, split } from './tokens.ts'
import {
  accountView,
  type ConditionView,
  conditionView,
  type DeadManView,
  deadManViews,
  depthView,
  type HeldByOrders,
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
 * The whole exchange as one state machine: it takes committed rows and nothing else, no clock, no randomness, no
 * I/O, so the same rows always make the same exchange. Amounts are integers: price steps, lots, millionths of a USDC.
 */
export class Exchange {
  /** Everything it remembers; only the engine's own files write to it. */
  readonly state = new State()
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
  /** The rules the next row is applied with: others after an upgrade. */
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
    this.run(row, NOBODY)
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

  /** The most frequent commands, read from their words. false when it is none of them. */
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
    } catch {
      order.refusal = 'internal_error'
    }
    executePlacement(this.state, order, listener)
  }

  #replace(words: Uint32Array, at: number, listener: Listener): void {
    const order = this.#order
    try {
      planReplace(this.state, order, words, at)
    } catch {
      order.refusal = 'internal_error'
    }
    if (order.refusal === 'order_ended') listener.refused('order_ended', namedState(this.state, order.known), 0, 0, 0)
    else executePlacement(this.state, order, listener)
  }

  #decide(command: Command, listener: Listener): void {
    let decision: Decision
    try {
      decision = decide(this.state, command)
    } catch {
      decision = 'internal_error'
    }
    if (typeof decision === 'string') listener.refused(decision, -1, 0, 0, 0)
    else decision(listener)
  }

  /** 16 hex digits over all writes so far; exchanges that applied the same rows differ in it when any write did. */
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

  /** Orders of an account that hold something, oldest first; one past its time is told as expired until a sweep ends it. */
  openOrders(account: Hex): OrderView[] {
    return openOrderViews(this.state, rowOf(this.state.accounts.ids, account))
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

  /** Terms and standing of a condition. */
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

  /** Whether an address has ever had anything, or was named as a creator or referrer. */
  isAccount(account: Hex): boolean {
    return rowOf(this.state.accounts.ids, account) !== 0
  }

  /** Limits and marks of an account. */
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
    const due = Math.min(
      expiries.size > 0 ? expiries.time[1]! * 1000 : Number.POSITIVE_INFINITY,
      deadlines.size > 0 ? deadlines.time[1]! : Number.POSITIVE_INFINITY,
    )
    return due === Number.POSITIVE_INFINITY ? null : due
  }
}

/** The rule for every command that is not read in place. */
function decide(state: State, command: Command): Decision {
  switch (command.type) {
    case 'cancel_all':
      return cancelAll(state, command)
    case 'reduce':
      return reduce(state, command)
    case 'deposit':
      return deposit(state, command)
    case 'withdraw':
      return withdraw(state, command)
    case 'end_withdrawal':
      return endWithdrawal(state, command)
    case 'split':
      return split(state, command)
    case 'merge':
      return merge(state, command)
    case 'convert':
      return convert(state, command)
    case 'redeem':
      return redeem(state, command)
    case 'redeem_all':
      return redeemAll(state, command)
    case 'register':
      return register(state, command)
    case 'set_condition':
      return setCondition(state, command)
    case 'resolve':
      return resolve(state, command)
    case 'set_mode':
      return setMode(state, command)
    case 'set_account':
      return setAccount(state, command)
    case 'dead_man':
      return deadMan(state, command)
    case 'upgrade':
      return upgrade(state, command)
    case 'sweep':
      return (listener) => {
        listener.done()
        sweep(state, listener, command.limit)
      }
    default:
      throw new Error(`${command.type} is read in place`)
  }
}
