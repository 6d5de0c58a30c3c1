import { mulDiv } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import { doubled } from './columns.ts'
import { FILL } from './match.ts'
import type { Placement } from './placement.ts'
import type { State } from './state.ts'

/**
 * Splits the fee of a planned order: the makers' rebate by the curve weight of each maker's fills, the referrer's share, and
 * the remainder, which is the fee account's. All parts round down, so the remainder also gets what rounding leaves.
 */
export class FeeSplit {
  /** Makers, in the order met, and the rebate of each. */
  count = 0
  maker = new Int32Array(64)
  rebate = new Float64Array(64)
  referrer = 0
  affiliate = 0
  remainder = 0
  #weight = new Float64Array(64)
  /** Per account: its place among the makers, and the split it was of. */
  #place = new Int32Array(64)
  #split = new Float64Array(64)
  #splits = 0

  /** Computes all parts of the fee of an order. */
  compute(state: State, order: Placement): void {
    const { conditions, accounts } = state
    const { totalFee } = order.match
    this.count = 0
    this.remainder = totalFee
    this.#rebates(state, order, mulDiv(totalFee, conditions.rebateBps[order.condition]!, ONE))
    this.referrer = accounts.referrer[order.account]!
    this.affiliate = this.referrer === 0 ? 0 : mulDiv(totalFee, conditions.affiliateBps[order.condition]!, ONE)
    this.remainder -= this.affiliate
  }

  #rebates(state: State, order: Placement, pool: number): void {
    if (pool === 0) return
    const total = this.#weigh(state, order)
    const isExact = total <= Number.MAX_SAFE_INTEGER
    const weights = isExact ? null : this.#exactWeights(state, order)
    const exactTotal = weights?.reduce((sum, weight) => sum + weight, 0n) ?? 1n
    for (let i = 0; i < this.count; i++) {
      const share = weights === null ? mulDiv(pool, this.#weight[i]!, total) : Number((BigInt(pool) * weights[i]!) / exactTotal)
      this.rebate[i] = share
      this.remainder -= share
    }
  }

  /** Finds the makers and weighs their fills: lots · k · (10⁴ − k). */
  #weigh(state: State, { match }: Placement): number {
    this.#splits++
    if (this.#place.length < state.accounts.capacity) {
      this.#place = new Int32Array(state.accounts.capacity)
      this.#split = new Float64Array(state.accounts.capacity)
    }
    let total = 0
    for (let step = 0; step < match.count; step++) {
      if (match.action[step] !== FILL) continue
      const slot = match.slot[step]!
      const k = state.orders.price(slot)
      const weight = match.lots[step]! * (k * (ONE - k))
      this.#weight[this.#placeOf(state.orders.account(slot))]! += weight
      total += weight
    }
    return total
  }

  #placeOf(account: number): number {
    if (this.#split[account] === this.#splits) return this.#place[account]!
    if (this.count === this.maker.length) {
      this.maker = doubled(this.maker)
      this.rebate = doubled(this.rebate)
      this.#weight = doubled(this.#weight)
    }
    const place = this.count++
    this.#split[account] = this.#splits
    this.#place[account] = place
    this.maker[place] = account
    this.#weight[place] = 0
    return place
  }

  /** The same weights as bigints, for sums beyond 2^53: some millions of shares. */
  #exactWeights(state: State, { match }: Placement): bigint[] {
    const weights = new Array<bigint>(this.count).fill(0n)
    for (let step = 0; step < match.count; step++) {
      if (match.action[step] !== FILL) continue
      const slot = match.slot[step]!
      const k = state.orders.price(slot)
      weights[this.#place[state.orders.account(slot)]!]! += BigInt(match.lots[step]!) * BigInt(k * (ONE - k))
    }
    return weights
  }
}
