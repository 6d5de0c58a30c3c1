import { ONE } from '@augury/units/price'
import { Arena } from './arena.ts'
import { Columns, INITIAL_ROWS } from './columns.ts'
import type { OrderType, Outcome, SelfTrade, Side } from './command.ts'
import type { EndReason, OrderState } from './event.ts'
import { KeyIndex } from './key-index.ts'

/** The closed lists behind the small numbers that columns and commands carry; a place in a list never changes. */
export const SIDES: readonly Side[] = ['BUY', 'SELL']
export const ORDER_TYPES: readonly OrderType[] = ['GTC', 'GTD', 'FOK', 'FAK']
export const SELF_TRADES: readonly SelfTrade[] = ['expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none']
export const STATES: readonly OrderState[] = ['live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected']
export const END_REASONS: readonly (EndReason | null)[] = [
  null, 'user', 'cancel_all', 'market_cancel', 'heartbeat', 'disconnect', 'admin', 'stp', 'fak_remainder', 'pause',
  'market_closed', 'resolved', 'amend_replaced', 'expired', 'fok_not_filled', 'fak_no_match', 'post_only_would_cross', 'self_trade',
] // biome-ignore format: a list of words

export const GTC = 0
export const GTD = 1
export const FOK = 2
export const FAK = 3
export const BUY = 0
export const SELL = 1
export const LIVE = 0
export const PARTIALLY_FILLED = 1
export const FILLED = 2
export const CANCELLED = 3
export const EXPIRED = 4
export const REJECTED = 5
/** The number of an ending. */
export const endReason = (reason: EndReason): number => END_REASONS.indexOf(reason)

/** What an order matched on arrival. */
export interface FirstAnswer {
  matched: number
  cost: number
  fee: number
  fills: number
}

const NOTHING: FirstAnswer = { matched: 0, cost: 0, fee: 0, fills: 0 }
const FIRST_WORDS = 6

/**
 * Every order the exchange remembers, live or ended within the last minutes, one slot each. About 114 bytes an order:
 * the hot columns first, what few orders have in an arena beside them.
 */
export class OrderStore extends Columns {
  /** 32-byte ids. */
  ids = new KeyIndex(8)
  account = new Int32Array(INITIAL_ROWS)
  condition = new Int32Array(INITIAL_ROWS)
  /** outcome 1 bit, side 1, type 2, post-only 1, state 3, end reason 5, state of the first answer 3, fingerprint of what was asked 16. */
  flags = new Uint32Array(INITIAL_ROWS)
  /** Steps of the order's own token. */
  price = new Uint16Array(INITIAL_ROWS)
  lots = new Uint32Array(INITIAL_ROWS)
  remaining = new Uint32Array(INITIAL_ROWS)
  /** Millionths paid or received for what was matched. */
  cost = new Float64Array(INITIAL_ROWS)
  /** Unix seconds, 0 for none. */
  expiration = new Uint32Array(INITIAL_ROWS)
  /** Place in the heap of expiries while live. */
  due = new Int32Array(INITIAL_ROWS)
  seq = new Float64Array(INITIAL_ROWS)
  /** Engine milliseconds of the placement. */
  at = new Float64Array(INITIAL_ROWS)
  /** Live: the order before in the level's queue. Ended: the order that ended before. `next` is the other direction. */
  prev = new Int32Array(INITIAL_ROWS)
  /** Live: neighbours among the account's open orders, older then newer. Ended: see `endedAt`, which lies over it. */
  siblings = new Int32Array(INITIAL_ROWS * 2)
  /** Where the arena keeps the annex and first answer, or 0. */
  extra = new Uint32Array(INITIAL_ROWS)
  /** Ended orders, oldest ending first. */
  firstEnded = 0
  lastEnded = 0
  readonly arena = new Arena()
  #endedAt = new Float64Array(this.siblings.buffer)

  /** Takes a slot for a new order with the id at `words[at]`. */
  insert(words: Uint32Array, at: number): number {
    const slot = this.takeRow()
    this.ids.insert(slot, words, at)
    this.due[slot] = 0
    return slot
  }

  override grow(): void {
    super.grow()
    this.rebind()
  }

  /** Points the end times at the present `siblings`; needed whenever that column was replaced. */
  rebind(): void {
    this.#endedAt = new Float64Array(this.siblings.buffer)
  }

  /** Forgets an ended order. */
  drop(slot: number): void {
    const before = this.prev[slot]!
    const after = this.next[slot]!
    if (before === 0) this.firstEnded = after
    else this.next[before] = after
    if (after === 0) this.lastEnded = before
    else this.prev[after] = before
    const extra = this.extra[slot]!
    if (extra !== 0) this.arena.release(extra, runLength(this.arena.words[extra]!))
    this.ids.remove(slot)
    this.freeRow(slot)
  }

  /** Puts an order that is in no queue any more at the end of the ended ones. */
  remember(slot: number, now: number): void {
    const last = this.lastEnded
    this.prev[slot] = last
    this.next[slot] = 0
    if (last === 0) this.firstEnded = slot
    else this.next[last] = slot
    this.lastEnded = slot
    this.#endedAt[slot] = now
  }

  /** Engine milliseconds at which an ended order ended. */
  endedAt(slot: number): number {
    return this.#endedAt[slot]!
  }

  outcome(slot: number): Outcome {
    return (this.flags[slot]! & 1) as Outcome
  }
  side(slot: number): number {
    return (this.flags[slot]! >>> 1) & 1
  }
  type(slot: number): number {
    return (this.flags[slot]! >>> 2) & 3
  }
  postOnly(slot: number): boolean {
    return (this.flags[slot]! & 16) !== 0
  }
  state(slot: number): number {
    return (this.flags[slot]! >>> 5) & 7
  }
  reason(slot: number): number {
    return (this.flags[slot]! >>> 8) & 31
  }
  firstState(slot: number): number {
    return (this.flags[slot]! >>> 13) & 7
  }
  isOpen(slot: number): boolean {
    return this.state(slot) <= PARTIALLY_FILLED
  }
  /** What tells two placements under one id apart; see `Placement.fingerprint`. */
  fingerprint(slot: number): number {
    return this.flags[slot]! >>> 16
  }
  setState(slot: number, state: number, reason: number): void {
    this.flags[slot] = (this.flags[slot]! & ~0x1fe0) | (state << 5) | (reason << 8)
  }
  /** Whether the order stands on the bid side of the Yes book: BUY Yes or SELL No. */
  isBid(slot: number): boolean {
    return isBid(this.outcome(slot), this.side(slot))
  }
  /** The order's limit in Yes steps. */
  bookPrice(slot: number): number {
    return this.outcome(slot) === 0 ? this.price[slot]! : ONE - this.price[slot]!
  }
  /** Whether its time has come, swept or not. */
  isDue(slot: number, now: number): boolean {
    return this.type(slot) === GTD && this.expiration[slot]! * 1000 <= now
  }

  /** Keeps what came with the order and what it matched at once; nothing of it is ever read by matching. */
  keep(
    slot: number,
    words: Uint32Array,
    annexAt: number,
    annexBytes: number,
    matched: number,
    cost: number,
    fee: number,
    fills: number,
  ): void {
    const hasFirst = fills !== 0
    this.extra[slot] = 0
    if (annexBytes === 0 && !hasFirst) return
    const head = annexBytes | (hasFirst ? 0x10000 : 0)
    const at = this.arena.allocate(runLength(head))
    const run = this.arena.words
    this.extra[slot] = at
    let to = at
    run[to++] = head
    if (hasFirst) {
      run[to++] = matched
      run[to++] = cost
      run[to++] = cost / 0x1_0000_0000
      run[to++] = fee
      run[to++] = fee / 0x1_0000_0000
      run[to++] = fills
    }
    for (let i = 0; i < (annexBytes + 3) >>> 2; i++) run[to++] = words[annexAt + i]!
  }

  /** What the order matched on arrival. */
  first(slot: number): FirstAnswer {
    const at = this.extra[slot]!
    const run = this.arena.words
    if (at === 0 || run[at]! < 0x10000) return NOTHING
    return {
      matched: run[at + 1]!,
      cost: run[at + 2]! + run[at + 3]! * 0x1_0000_0000,
      fee: run[at + 4]! + run[at + 5]! * 0x1_0000_0000,
      fills: run[at + 6]!,
    }
  }

  /** The bytes that came with the order. */
  annex(slot: number): Uint8Array {
    const at = this.extra[slot]!
    if (at === 0) return new Uint8Array(0)
    const run = this.arena.words
    const from = at + 1 + (run[at]! >= 0x10000 ? FIRST_WORDS : 0)
    return new Uint8Array(run.buffer.slice(from * 4, from * 4 + (run[at]! & 0xffff)))
  }
}

/** Bid or ask of the Yes book. */
export const isBid = (outcome: number, side: number): boolean => outcome === side

const runLength = (head: number): number => 1 + (head >= 0x10000 ? FIRST_WORDS : 0) + (((head & 0xffff) + 3) >>> 2)
