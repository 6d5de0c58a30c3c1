import { ONE } from '@augury/units/price'
import { doubled } from './columns.ts'
import type { Ladder } from './ladder.ts'
import type { OrderStore } from './order-store.ts'
import { FOK } from './order-terms.ts'

/** What happens to an order met in the book. */
export const FILL = 0
export const EXPIRE = 1
export const END_OWN = 2
export const REDUCE_OWN = 3

/** Places in `SELF_TRADES` that are handled one by one; the remaining one is `expire_both`. */
const EXPIRE_MAKER = 0
const EXPIRE_TAKER = 1
const DECREMENT = 3
const NONE = 4

/** What matching needs of a taker; either `budget` (millionths) or `lots` is 0. */
export interface Taker {
  account: number
  outcome: number
  side: number
  type: number
  selfTrade: number
  postOnly: boolean
  price: number
  lots: number
  budget: number
  replaced: number
}

/** The walk of one taker through a book: whom it meets, best price first, oldest first, and what happens to each. Reads only. */
export class Match {
  count = 0
  slot = new Int32Array(64)
  lots = new Float64Array(64)
  fee = new Float64Array(64)
  action = new Uint8Array(64)
  fills = 0
  matched = 0
  /** Millionths for what was matched, at the makers' prices in the taker's token. */
  cost = 0
  totalFee = 0
  /** Lots still wanted, or millionths still to spend. */
  left = 0
  /** Lots taken off the taker by meeting its own orders. */
  decremented = 0
  /** A post-only order would trade; self-trade prevention ends the taker; self-trade prevention rejects a FOK. */
  crosses = false
  stopped = false
  selfTradeRejects = false
  #carry = 0

  /** Walks. `groups` says per account who belongs together (0: alone), `feeBps` is the taker's fee. Changes nothing. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the loop that every order goes through stays in one piece.
  walk(orders: OrderStore, groups: Float64Array, ladder: Ladder | undefined, taker: Taker, feeBps: number, now: number): void {
    this.count = this.fills = this.matched = this.cost = this.totalFee = this.decremented = 0
    this.crosses = this.stopped = this.selfTradeRejects = false
    this.#carry = HALF
    const byBudget = taker.budget > 0
    this.left = byBudget ? taker.budget : taker.lots
    if (ladder === undefined) return
    const { grid, size } = ladder
    const buysBook = taker.outcome === taker.side
    const limit = taker.outcome === 0 ? taker.price : ONE - taker.price
    let level = buysBook ? ladder.bestAsk : ladder.bestBid
    while (level > 0 && level < size) {
      const k = level * grid
      if (buysBook ? k > limit : k < limit) return
      const price = taker.outcome === 0 ? k : ONE - k
      const want = byBudget ? Math.floor(this.left / price) : this.left
      if (want === 0) return
      const rest = this.#queue(orders, groups, ladder.head[level]!, taker, want, price, feeBps * k * (ONE - k), now)
      this.left -= (want - rest) * (byBudget ? price : 1)
      if (rest === 0 && !byBudget) return
      if (this.crosses || this.stopped || this.selfTradeRejects) return
      level = buysBook ? ladder.above(level) : ladder.below(level)
    }
  }

  /** Walks one level's queue; returns the lots still wanted. */
  #queue(
    orders: OrderStore,
    groups: Float64Array,
    head: number,
    taker: Taker,
    want: number,
    price: number,
    rate: number,
    now: number,
  ): number {
    let rest = want
    const group = groups[taker.account]!
    for (let slot = head; slot !== 0 && rest > 0; slot = orders.next(slot)) {
      if (slot === taker.replaced) continue
      if (orders.isDue(slot, now)) {
        this.#push(EXPIRE, slot, 0, 0)
        continue
      }
      if (taker.postOnly) {
        this.crosses = true
        return rest
      }
      const owner = orders.account(slot)
      const lots = Math.min(rest, orders.remaining(slot))
      if (taker.selfTrade !== NONE && (owner === taker.account || (group !== 0 && groups[owner] === group))) {
        rest -= this.#preventSelfTrade(orders, slot, taker, rest, lots)
        if (this.stopped || this.selfTradeRejects) return rest
        continue
      }
      const fee = this.#charge(rate, lots)
      this.#push(FILL, slot, lots, fee)
      this.fills++
      this.matched += lots
      this.cost += lots * price
      this.totalFee += fee
      rest -= lots
    }
    return rest
  }

  /** Self-trade prevention: the next maker belongs to the taker's owner or group. Returns the lots the taker loses by it. */
  #preventSelfTrade(orders: OrderStore, slot: number, taker: Taker, rest: number, lots: number): number {
    if (taker.selfTrade === EXPIRE_MAKER) {
      this.#push(END_OWN, slot, 0, 0)
      return 0
    }
    if (taker.type === FOK) {
      this.selfTradeRejects = true
      return 0
    }
    if (taker.selfTrade === DECREMENT) {
      const endsMaker = lots === orders.remaining(slot)
      this.#push(endsMaker ? END_OWN : REDUCE_OWN, slot, lots, 0)
      this.stopped = lots === rest
      if (this.stopped) return 0
      this.decremented += lots
      return lots
    }
    if (taker.selfTrade !== EXPIRE_TAKER) this.#push(END_OWN, slot, 0, 0)
    this.stopped = true
    return 0
  }

  /**
   * The fee of one fill: bps · lots · k · (10⁴ − k) / 10⁸ millionths. The remainder of each division is carried to the next fill, and
   * the first starts from half a millionth, so the sum equals the fee of the whole order rounded half up once.
   */
  #charge(rate: number, lots: number): number {
    if (rate === 0) return 0
    const exact = rate * lots + this.#carry
    if (exact <= Number.MAX_SAFE_INTEGER) {
      const fee = Math.floor(exact / FEE_UNIT)
      this.#carry = exact - fee * FEE_UNIT
      return fee
    }
    const whole = BigInt(rate) * BigInt(lots) + BigInt(this.#carry)
    this.#carry = Number(whole % BigInt(FEE_UNIT))
    return Number(whole / BigInt(FEE_UNIT))
  }

  #push(action: number, slot: number, lots: number, fee: number): void {
    if (this.count === this.slot.length) this.#grow()
    const step = this.count++
    this.action[step] = action
    this.slot[step] = slot
    this.lots[step] = lots
    this.fee[step] = fee
  }

  #grow(): void {
    this.slot = doubled(this.slot)
    this.lots = doubled(this.lots)
    this.fee = doubled(this.fee)
    this.action = doubled(this.action)
  }
}

const FEE_UNIT = 100_000_000
const HALF = FEE_UNIT / 2
