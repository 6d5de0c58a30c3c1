import type { Policy, Standing } from '@augury/wire/budget'
import { BATCH_CANCELS_PER_MINUTE, CALLS_PER_MINUTE, FACT_PAGES_PER_MINUTE } from '@augury/wire/limits'
import type { VenueOperationName } from '@augury/wire/operations/venue'
import { isLoopback } from './loopback.ts'

/** Budgets by default. Tiers raise `limit` per account. */
export const BUDGETS = {
  cancel: { name: 'cancel', limit: CALLS_PER_MINUTE, seconds: 60 },
  cancelMany: { name: 'cancel-many', limit: BATCH_CANCELS_PER_MINUTE, seconds: 60 },
  books: { name: 'books', limit: CALLS_PER_MINUTE, seconds: 60 },
  facts: { name: 'facts', limit: FACT_PAGES_PER_MINUTE, seconds: 60 },
  /** New keys, wallets and faucet gifts: each is kept for ever, and asking costs nothing. */
  keys: { name: 'keys', limit: CALLS_PER_MINUTE, seconds: 60 },
} as const satisfies Record<string, Policy>
export type BudgetName = keyof typeof BUDGETS

/** Which operations have a budget, and whose. */
export const BUDGETED: Partial<Record<VenueOperationName, { budget: BudgetName; of: 'account' | 'address' }>> = {
  cancelOrder: { budget: 'cancel', of: 'account' },
  cancelOrderById: { budget: 'cancel', of: 'account' },
  cancelOrders: { budget: 'cancelMany', of: 'account' },
  getBooks: { budget: 'books', of: 'address' },
  listFacts: { budget: 'facts', of: 'address' },
  createKey: { budget: 'keys', of: 'address' },
  createReadonlyKey: { budget: 'keys', of: 'address' },
  registerWallet: { budget: 'keys', of: 'address' },
  faucet: { budget: 'keys', of: 'address' },
}

/** Tiers of accounts by the engine's number. FACTORS multiply the default budgets. */
export const TIERS = ['standard', 'maker', 'internal'] as const
export type Tier = (typeof TIERS)[number]
const FACTORS: Record<Tier, number> = { standard: 1, maker: 60, internal: Number.POSITIVE_INFINITY }

/** Name of the engine's tier number. */
export const tierOf = (tier: number): Tier => TIERS[tier] ?? 'standard'

/**
 * A sliding log: no window of the policy's length, wherever it starts, holds more than `limit` calls of a key.
 * A refused call is not counted. Holds nothing about keys that were quiet for one window.
 */
export class SlidingLog {
  readonly #policy: Policy
  /** Milliseconds of the calls inside the window, oldest first; keys in order of their last call. */
  readonly #calls = new Map<string, number[]>()

  constructor(policy: Policy) {
    this.#policy = policy
  }

  /** Counts a call of `key` at `now` (milliseconds, never decreasing) unless the window is full. */
  take(key: string, now: number, limit: number = this.#policy.limit): Standing {
    const since = now - this.#policy.seconds * 1000
    this.#forget(since)
    const calls = this.#within(key, since)
    const allowed = calls.length < limit
    if (allowed) {
      calls.push(now)
      this.#calls.delete(key)
      this.#calls.set(key, calls)
    }
    return {
      allowed,
      policy: { ...this.#policy, limit },
      remaining: Math.max(0, limit - calls.length),
      resetSeconds: calls.length ? Math.ceil((calls[0]! - since) / 1000) : 0,
    }
  }

  /** Where a key stands, without counting anything. */
  standing(key: string, now: number, limit: number = this.#policy.limit): Standing {
    const since = now - this.#policy.seconds * 1000
    const calls = (this.#calls.get(key) ?? []).filter((call) => call > since)
    return {
      allowed: calls.length < limit,
      policy: { ...this.#policy, limit },
      remaining: Math.max(0, limit - calls.length),
      resetSeconds: calls.length ? Math.ceil((calls[0]! - since) / 1000) : 0,
    }
  }

  /** Counts a call that a former process admitted at `at`. Calls come oldest first. */
  recall(key: string, at: number): void {
    const since = at - this.#policy.seconds * 1000
    this.#forget(since)
    const calls = this.#within(key, since)
    calls.push(at)
    this.#calls.delete(key)
    this.#calls.set(key, calls)
  }

  /** The calls of a key after `since`, with older ones removed. */
  #within(key: string, since: number): number[] {
    const calls = this.#calls.get(key) ?? []
    let stale = 0
    while (stale < calls.length && calls[stale]! <= since) stale++
    if (stale) calls.splice(0, stale)
    return calls
  }

  #forget(since: number): void {
    for (const [key, calls] of this.#calls) {
      if (calls.at(-1)! > since) return
      this.#calls.delete(key)
    }
  }
}

/** All budgets of this process. The engine's tier of an account decides how much it has. */
export class Budgets {
  readonly #freeHere: readonly BudgetName[]
  readonly #logs = Object.fromEntries(Object.entries(BUDGETS).map(([name, policy]) => [name, new SlidingLog(policy)])) as Record<
    BudgetName,
    SlidingLog
  >

  /** `freeHere`: budgets by address that do not bind programs on this machine. */
  constructor(freeHere: readonly BudgetName[] = []) {
    this.#freeHere = freeHere
  }

  /** Counts a call of `key` (an account or an address); null when it has no limit. `now` in milliseconds. */
  take(name: BudgetName, key: string, tier: Tier, now: number): Standing | null {
    const limit = this.#limit(name, key, tier)
    return Number.isFinite(limit) ? this.#logs[name].take(key, now, limit) : null
  }

  /** Where `key` stands, without counting anything; null when it has no limit. */
  standing(name: BudgetName, key: string, tier: Tier, now: number): Standing | null {
    const limit = this.#limit(name, key, tier)
    return Number.isFinite(limit) ? this.#logs[name].standing(key, now, limit) : null
  }

  /** Counts a call that a former process admitted at `at`. Calls come oldest first. */
  recall(name: BudgetName, key: string, at: number): void {
    this.#logs[name].recall(key, at)
  }

  #limit(name: BudgetName, key: string, tier: Tier): number {
    return this.#freeHere.includes(name) && isLoopback(key) ? Number.POSITIVE_INFINITY : BUDGETS[name].limit * FACTORS[tier]
  }
}
