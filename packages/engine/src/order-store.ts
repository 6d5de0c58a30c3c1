import { ONE } from '@augury/units/price'
import { INITIAL_ROWS, Table } from './columns.ts'
import type { Outcome } from './command.ts'
import { KeyIndex } from './key-index.ts'
import { type FirstAnswer, OrderExtras } from './order-extras.ts'
import { GTD, isBid, PARTIALLY_FILLED } from './order-terms.ts'

/** Words of an order that matching reads and writes: half a cache line, because cache misses dominate. */
const WIDTH = 8
const ACCOUNT = 0
const CONDITION = 1
/** outcome 1 bit, side 1, type 2, post-only 1, state 3, end reason 5, state of the first answer 3, by budget 1, steps of its own token 14 */
const FLAGS = 2
const REMAINING = 3
/** Live: neighbours in the level's queue. Ended: neighbours in the order of ending. Free: the next free one. */
const PREV = 4
const NEXT = 5
/** Live: neighbours among the account's open orders. */
const OLDER = 6
const NEWER = 7
/** Ended: two words over the neighbours, engine milliseconds of the ending. */
const ENDED_AT = 6

/** Words of an order's other fields. */
const TERMS = 8
const LOTS = 0
/** Lots asked for, or low half of the budget. */
const ASKED = 1
/** Two words: millionths paid or received for what was matched. */
const COST = 2
/** Unix seconds, 0 for none. By budget, which has none: high half of the budget. */
const EXPIRATION = 4
/** Place in the heap of expiries. By budget, which is never in it: the price as asked for. */
const DUE = 5
/** The run of the annex and first answer in `extras`, or 0. */
const EXTRA = 6
/** Low half of the log position of the placement. */
const SEQ = 7

const HALF = 0x1_0000_0000
const BY_BUDGET = 1 << 16
const PRICE_SHIFT = 17

/** Every order the exchange remembers, live or ended within the last minutes, one slot each: 112 bytes, plus the optional parts in `extras`. */
export class OrderStore extends Table {
  /** 32-byte ids. */
  ids = new KeyIndex(8)
  record = new Int32Array(INITIAL_ROWS * WIDTH)
  terms = new Uint32Array(INITIAL_ROWS * TERMS)
  /** Two words an order, read only for views: low half of `at`; high halves of `at` and `seq`. */
  placed = new Uint32Array(INITIAL_ROWS * 2)
  /** Ended orders, oldest ending first. */
  firstEnded = 0
  lastEnded = 0
  readonly extras = new OrderExtras()
  /** `record` and `terms` viewed as doubles. */
  #endings = new Float64Array(this.record.buffer)
  #costs = new Float64Array(this.terms.buffer)

  get capacity(): number {
    return this.record.length / WIDTH
  }

  override grow(): void {
    super.grow()
    this.rebind()
  }

  /** Renews the double views; needed whenever the columns were replaced. */
  rebind(): void {
    this.#endings = new Float64Array(this.record.buffer)
    this.#costs = new Float64Array(this.terms.buffer)
  }

  /** Takes a slot for a new order with the id at `words[at]`. */
  insert(words: Uint32Array, at: number): number {
    const slot = this.takeRow()
    this.ids.insert(slot, words, at)
    return slot
  }

  /** Writes what matching needs: `flags` laid out as at FLAGS above, price in steps of the order's own token. */
  open(slot: number, account: number, condition: number, flags: number, price: number, remaining: number): void {
    const { record } = this
    const at = slot * WIDTH
    record[at + ACCOUNT] = account
    record[at + CONDITION] = condition
    record[at + FLAGS] = flags | (price << PRICE_SHIFT)
    record[at + REMAINING] = remaining
  }

  /** Writes the whole size in lots, the cost of the matched part in millionths, and the expiration in Unix seconds. */
  setTerms(slot: number, lots: number, cost: number, expiration: number): void {
    const { terms } = this
    const at = slot * TERMS
    terms[at + LOTS] = lots
    terms[at + EXPIRATION] = expiration
    terms[at + DUE] = 0
    terms[at + EXTRA] = 0
    this.#costs[(at + COST) >>> 1] = cost
  }

  /** Writes the terms as requested: a retry of the placement is recognised by them. */
  setAsked(slot: number, price: number, lots: number, budget: number): void {
    const { terms } = this
    const at = slot * TERMS
    terms[at + ASKED] = lots + budget
    if (budget === 0) return
    this.record[slot * WIDTH + FLAGS]! |= BY_BUDGET
    terms[at + EXPIRATION] = budget / HALF
    terms[at + DUE] = price
  }

  /** Writes log position and engine milliseconds of the placement. */
  setPlaced(slot: number, seq: number, at: number): void {
    this.terms[slot * TERMS + SEQ] = seq
    this.placed[slot * 2] = at
    this.placed[slot * 2 + 1] = Math.floor(at / HALF) * 0x1_0000 + Math.floor(seq / HALF)
  }

  /** Removes an ended order and frees its slot. */
  drop(slot: number): void {
    const before = this.prev(slot)
    const after = this.next(slot)
    if (before === 0) this.firstEnded = after
    else this.setNext(before, after)
    if (after === 0) this.lastEnded = before
    else this.setPrev(after, before)
    this.extras.drop(this.terms[slot * TERMS + EXTRA]!)
    this.ids.remove(slot)
    this.freeRow(slot)
  }

  /** Appends an order that has left the book to the list of ended orders. */
  remember(slot: number, now: number): void {
    const last = this.lastEnded
    this.setPrev(slot, last)
    this.setNext(slot, 0)
    if (last === 0) this.firstEnded = slot
    else this.setNext(last, slot)
    this.lastEnded = slot
    this.#endings[(slot * WIDTH + ENDED_AT) >>> 1] = now
  }

  account(slot: number): number {
    return this.record[slot * WIDTH + ACCOUNT]!
  }
  condition(slot: number): number {
    return this.record[slot * WIDTH + CONDITION]!
  }
  /** Steps of the order's own token. */
  price(slot: number): number {
    return this.record[slot * WIDTH + FLAGS]! >>> PRICE_SHIFT
  }
  lots(slot: number): number {
    return this.terms[slot * TERMS + LOTS]!
  }
  remaining(slot: number): number {
    return this.record[slot * WIDTH + REMAINING]! >>> 0
  }
  /** Millionths paid or received for what was matched. */
  cost(slot: number): number {
    return this.#costs[(slot * TERMS + COST) >>> 1]!
  }
  /** Unix seconds, 0 for none. */
  expiration(slot: number): number {
    return this.isByBudget(slot) ? 0 : this.terms[slot * TERMS + EXPIRATION]!
  }
  isByBudget(slot: number): boolean {
    return (this.record[slot * WIDTH + FLAGS]! & BY_BUDGET) !== 0
  }
  /** Lots asked for, 0 for an order by budget. */
  askedLots(slot: number): number {
    return this.isByBudget(slot) ? 0 : this.terms[slot * TERMS + ASKED]!
  }
  /** Budget in millionths, 0 for an order by lots. */
  budget(slot: number): number {
    return this.isByBudget(slot) ? this.terms[slot * TERMS + ASKED]! + this.terms[slot * TERMS + EXPIRATION]! * HALF : 0
  }
  /** The limit as requested: that of an order by budget is later rounded to the grid. */
  askedPrice(slot: number): number {
    return this.isByBudget(slot) ? this.terms[slot * TERMS + DUE]! : this.price(slot)
  }
  /** Log position of the placement. */
  seq(slot: number): number {
    return (this.placed[slot * 2 + 1]! & 0xffff) * HALF + this.terms[slot * TERMS + SEQ]!
  }
  /** Engine milliseconds of the placement. */
  at(slot: number): number {
    return (this.placed[slot * 2 + 1]! >>> 16) * HALF + this.placed[slot * 2]!
  }
  /** Engine milliseconds at which an ended order ended. */
  endedAt(slot: number): number {
    return this.#endings[(slot * WIDTH + ENDED_AT) >>> 1]!
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
    return this.terms[slot * TERMS + DUE]!
  }
  setPlace(slot: number, place: number): void {
    this.terms[slot * TERMS + DUE] = place
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
  /** Whether it is past its expiration, swept or not. */
  isDue(slot: number, now: number): boolean {
    return this.type(slot) === GTD && this.expiration(slot) * 1000 <= now
  }
  /** Reduces the remaining lots by a fill. */
  take(slot: number, lots: number): void {
    this.record[slot * WIDTH + REMAINING]! -= lots
  }
  /** Adds to the cost of the matched part, in millionths. */
  addCost(slot: number, cost: number): void {
    this.#costs[(slot * TERMS + COST) >>> 1]! += cost
  }
  /** Reduces the whole size and the remaining lots. */
  shrink(slot: number, lots: number): void {
    this.record[slot * WIDTH + REMAINING]! -= lots
    this.terms[slot * TERMS + LOTS]! -= lots
  }

  /** Stores the annex and what the order matched on arrival. */
  keep(slot: number, words: Uint32Array, annexAt: number, annexBytes: number, first: FirstAnswer | null): void {
    if (annexBytes > 0 || first !== null) this.terms[slot * TERMS + EXTRA] = this.extras.keep(words, annexAt, annexBytes, first)
  }

  /** What the order matched on arrival. */
  first(slot: number): FirstAnswer {
    return this.extras.first(this.terms[slot * TERMS + EXTRA]!)
  }

  /** The annex of the order. */
  annex(slot: number): Uint8Array {
    return this.extras.annex(this.terms[slot * TERMS + EXTRA]!)
  }
}
