import { ONE } from '@augury/units/price'
import { INITIAL_ROWS, Table } from './columns.ts'
import type { Outcome } from './command.ts'
import { KeyIndex } from './key-index.ts'
import { type FirstAnswer, OrderExtras } from './order-extras.ts'
import { GTD, isBid, PARTIALLY_FILLED } from './order-terms.ts'

/** Words of an order's record: one line of the processor's cache, since an order that is met is read and written whole. */
const WIDTH = 16
const ACCOUNT = 0
const CONDITION = 1
/** outcome 1 bit, side 1, type 2, post-only 1, state 3, end reason 5, state of the first answer 3 */
const FLAGS = 2
/** Steps of the order's own token below, 16 bits of fingerprint above. */
const PRICE = 3
const LOTS = 4
const REMAINING = 5
/** Two words: millionths paid or received for what was matched. */
const COST = 6
/** Live: neighbours in the level's queue. Ended: neighbours in the order of ending. Free: the next free one. */
const PREV = 8
const NEXT = 9
/** Live: neighbours among the account's open orders. */
const OLDER = 10
const NEWER = 11
/** Ended: two words over the neighbours, engine milliseconds of the ending. */
const ENDED_AT = 10
/** Unix seconds, 0 for none. */
const EXPIRATION = 12
/** Place in the heap of expiries. */
const DUE = 13
/** Where `extras` keeps the annex and first answer, or 0. */
const EXTRA = 14
/** Low half of the log position of the placement. */
const SEQ = 15

/** Every order the exchange remembers, live or ended within the last minutes, one slot each: 112 bytes and what few orders have among the extras. */
export class OrderStore extends Table {
  /** 32-byte ids. */
  ids = new KeyIndex(8)
  record = new Int32Array(INITIAL_ROWS * WIDTH)
  /** Two words an order, read only to be told: low half of `at`, and the high halves of `at` and `seq`. */
  placed = new Uint32Array(INITIAL_ROWS * 2)
  /** Ended orders, oldest ending first. */
  firstEnded = 0
  lastEnded = 0
  readonly extras = new OrderExtras()
  /** The record seen as what its parts are. */
  #unsigned = new Uint32Array(this.record.buffer)
  #amounts = new Float64Array(this.record.buffer)

  get capacity(): number {
    return this.record.length / WIDTH
  }

  override grow(): void {
    super.grow()
    this.rebind()
  }

  /** Looks at the present record; needed whenever that column was replaced. */
  rebind(): void {
    this.#unsigned = new Uint32Array(this.record.buffer)
    this.#amounts = new Float64Array(this.record.buffer)
  }

  /** Takes a slot for a new order with the id at `words[at]`. */
  insert(words: Uint32Array, at: number): number {
    const slot = this.takeRow()
    this.ids.insert(slot, words, at)
    return slot
  }

  /** Writes what an order is from the beginning; `flags` as `flagsOf` packs them, `price` with the fingerprint above it. */
  open(slot: number, account: number, condition: number, flags: number, price: number, expiration: number): void {
    const { record } = this
    const at = slot * WIDTH
    record[at + ACCOUNT] = account
    record[at + CONDITION] = condition
    record[at + FLAGS] = flags
    record[at + PRICE] = price
    record[at + EXPIRATION] = expiration
    record[at + DUE] = 0
    record[at + EXTRA] = 0
  }

  /** Writes how large it is, how much of that it still wants, and what the rest cost. */
  setSize(slot: number, lots: number, remaining: number, cost: number): void {
    this.#unsigned[slot * WIDTH + LOTS] = lots
    this.#unsigned[slot * WIDTH + REMAINING] = remaining
    this.#amounts[(slot * WIDTH + COST) >>> 1] = cost
  }

  /** Writes where in the log it was placed and at which engine millisecond. */
  setPlaced(slot: number, seq: number, at: number): void {
    this.#unsigned[slot * WIDTH + SEQ] = seq
    this.placed[slot * 2] = at
    this.placed[slot * 2 + 1] = Math.floor(at / 0x1_0000_0000) * 0x1_0000 + Math.floor(seq / 0x1_0000_0000)
  }

  /** Forgets an ended order. */
  drop(slot: number): void {
    const before = this.prev(slot)
    const after = this.next(slot)
    if (before === 0) this.firstEnded = after
    else this.setNext(before, after)
    if (after === 0) this.lastEnded = before
    else this.setPrev(after, before)
    this.extras.drop(this.record[slot * WIDTH + EXTRA]!)
    this.ids.remove(slot)
    this.freeRow(slot)
  }

  /** Puts an order that is in no queue any more at the end of the ended ones. */
  remember(slot: number, now: number): void {
    const last = this.lastEnded
    this.setPrev(slot, last)
    this.setNext(slot, 0)
    if (last === 0) this.firstEnded = slot
    else this.setNext(last, slot)
    this.lastEnded = slot
    this.#amounts[(slot * WIDTH + ENDED_AT) >>> 1] = now
  }

  account(slot: number): number {
    return this.record[slot * WIDTH + ACCOUNT]!
  }
  condition(slot: number): number {
    return this.record[slot * WIDTH + CONDITION]!
  }
  /** Steps of the order's own token. */
  price(slot: number): number {
    return this.record[slot * WIDTH + PRICE]! & 0xffff
  }
  /** What tells two placements under one id apart; see `Placement.fingerprint`. */
  fingerprint(slot: number): number {
    return this.record[slot * WIDTH + PRICE]! >>> 16
  }
  lots(slot: number): number {
    return this.#unsigned[slot * WIDTH + LOTS]!
  }
  remaining(slot: number): number {
    return this.#unsigned[slot * WIDTH + REMAINING]!
  }
  /** Millionths paid or received for what was matched. */
  cost(slot: number): number {
    return this.#amounts[(slot * WIDTH + COST) >>> 1]!
  }
  /** Unix seconds, 0 for none. */
  expiration(slot: number): number {
    return this.#unsigned[slot * WIDTH + EXPIRATION]!
  }
  /** Log position of the placement. */
  seq(slot: number): number {
    return (this.placed[slot * 2 + 1]! & 0xffff) * 0x1_0000_0000 + this.#unsigned[slot * WIDTH + SEQ]!
  }
  /** Engine milliseconds of the placement. */
  at(slot: number): number {
    return (this.placed[slot * 2 + 1]! >>> 16) * 0x1_0000_0000 + this.placed[slot * 2]!
  }
  /** Engine milliseconds at which an ended order ended. */
  endedAt(slot: number): number {
    return this.#amounts[(slot * WIDTH + ENDED_AT) >>> 1]!
  }

  prev(slot: number): number {
    return this.record[slot * WIDTH + PREV]!
  }
  setPrev(slot: number, to: number): void {
    this.record[slot * WIDTH + PREV] = to
  }
  next(slot: number): number {
    return this.record[slot * WIDTH + NEXT]!
  }
  setNext(slot: number, to: number): void {
    this.record[slot * WIDTH + NEXT] = to
  }
  older(slot: number): number {
    return this.record[slot * WIDTH + OLDER]!
  }
  setOlder(slot: number, to: number): void {
    this.record[slot * WIDTH + OLDER] = to
  }
  newer(slot: number): number {
    return this.record[slot * WIDTH + NEWER]!
  }
  setNewer(slot: number, to: number): void {
    this.record[slot * WIDTH + NEWER] = to
  }
  /** Place in the heap of expiries. */
  place(slot: number): number {
    return this.record[slot * WIDTH + DUE]!
  }
  setPlace(slot: number, place: number): void {
    this.record[slot * WIDTH + DUE] = place
  }

  outcome(slot: number): Outcome {
    return (this.record[slot * WIDTH + FLAGS]! & 1) as Outcome
  }
  side(slot: number): number {
    return (this.record[slot * WIDTH + FLAGS]! >>> 1) & 1
  }
  type(slot: number): number {
    return (this.record[slot * WIDTH + FLAGS]! >>> 2) & 3
  }
  postOnly(slot: number): boolean {
    return (this.record[slot * WIDTH + FLAGS]! & 16) !== 0
  }
  state(slot: number): number {
    return (this.record[slot * WIDTH + FLAGS]! >>> 5) & 7
  }
  reason(slot: number): number {
    return (this.record[slot * WIDTH + FLAGS]! >>> 8) & 31
  }
  firstState(slot: number): number {
    return (this.record[slot * WIDTH + FLAGS]! >>> 13) & 7
  }
  setState(slot: number, state: number, reason: number): void {
    this.record[slot * WIDTH + FLAGS] = (this.record[slot * WIDTH + FLAGS]! & ~0x1fe0) | (state << 5) | (reason << 8)
  }
  isOpen(slot: number): boolean {
    return this.state(slot) <= PARTIALLY_FILLED
  }

  /** Whether the order stands on the bid side of the Yes book: BUY Yes or SELL No. */
  isBid(slot: number): boolean {
    return isBid(this.outcome(slot), this.side(slot))
  }
  /** The order's limit in Yes steps. */
  bookPrice(slot: number): number {
    return this.outcome(slot) === 0 ? this.price(slot) : ONE - this.price(slot)
  }
  /** Whether its time has come, swept or not. */
  isDue(slot: number, now: number): boolean {
    return this.type(slot) === GTD && this.expiration(slot) * 1000 <= now
  }
  /** Makes it want less: `lots` were matched for `cost`. */
  take(slot: number, lots: number, cost: number): void {
    this.#unsigned[slot * WIDTH + REMAINING]! -= lots
    this.#amounts[(slot * WIDTH + COST) >>> 1]! += cost
  }
  /** Makes it smaller by lots it still wanted. */
  shrink(slot: number, lots: number): void {
    this.#unsigned[slot * WIDTH + REMAINING]! -= lots
    this.#unsigned[slot * WIDTH + LOTS]! -= lots
  }

  /** Keeps what came with the order and what it matched at once; nothing of it is ever read by matching. */
  keep(slot: number, words: Uint32Array, annexAt: number, annexBytes: number, first: FirstAnswer | null): void {
    if (annexBytes > 0 || first !== null) this.record[slot * WIDTH + EXTRA] = this.extras.keep(words, annexAt, annexBytes, first)
  }

  /** What the order matched on arrival. */
  first(slot: number): FirstAnswer {
    return this.extras.first(this.record[slot * WIDTH + EXTRA]!)
  }

  /** The bytes that came with the order. */
  annex(slot: number): Uint8Array {
    return this.extras.annex(this.record[slot * WIDTH + EXTRA]!)
  }
}
