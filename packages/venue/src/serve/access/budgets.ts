import type { Policy, Standing } from '@augury/wire/budget'
import {
  BATCH_CANCELS_PER_MINUTE,
  BEATS_IN_FIVE_SECONDS,
  CALLS_PER_MINUTE,
  CATALOGUE_PAGES_PER_MINUTE,
  EVENT_PAGES_PER_MINUTE,
  FACT_PAGES_PER_MINUTE,
  ORDERS_IN_TEN_SECONDS,
} from '@augury/wire/limits'
import type { VenueBudgetName } from '@augury/wire/operation'
import { tier } from '@augury/wire/service-limits'
import { isLoopback } from './loopback.ts'

/** Budgets by default. Tiers raise `limit` per account. */
export const BUDGETS = {
  /** Orders, and changes of orders and positions: the journal keeps each for ever. Not recalled after a restart, unlike cancels. */
  orders: { name: 'orders', limit: ORDERS_IN_TEN_SECONDS, seconds: 10 },
  cancel: { name: 'cancel', limit: CALLS_PER_MINUTE, seconds: 60 },
  cancelMany: { name: 'cancel-many', limit: BATCH_CANCELS_PER_MINUTE, seconds: 60 },
  /** The window is shorter than the least patience of a switch, so that using it up does not fire one. */
  deadMan: { name: 'dead-man', limit: BEATS_IN_FIVE_SECONDS, seconds: 5 },
  /** Pages of an account's events, which history has to compute: enough for a client that comes back after hours. */
  events: { name: 'events', limit: EVENT_PAGES_PER_MINUTE, seconds: 60 },
  books: { name: 'books', limit: CALLS_PER_MINUTE, seconds: 60 },
  facts: { name: 'facts', limit: FACT_PAGES_PER_MINUTE, seconds: 60 },
  /** Events and pages of the catalogue, each of which looks at every market or answers the texts of many. */
  catalogue: { name: 'catalogue', limit: CATALOGUE_PAGES_PER_MINUTE, seconds: 60 },
  /** New keys, wallets and faucet gifts: each is kept for ever, and asking costs nothing. */
  keys: { name: 'keys', limit: CALLS_PER_MINUTE, seconds: 60 },
} as const satisfies Record<VenueBudgetName, Policy>

/** Tiers of accounts by the engine's number. FACTORS multiply the default budgets. */
export const TIERS = tier.options
export type Tier = (typeof TIERS)[number]
const FACTORS: Record<Tier, number> = { standard: 1, maker: 60, internal: Number.POSITIVE_INFINITY, large_maker: 60 }

/** Name of the engine's tier number. */
export const tierOf = (number: number): Tier => TIERS[number] ?? 'standard'

/** Times in milliseconds of the calls of a key, oldest first. Those before `first` have left the window. */
interface Calls {
  times: number[]
  first: number
}

/**
 * A sliding log: no window of the policy's length, wherever it starts, holds more than `limit` calls of a key.
 * A refused call is not counted. Holds nothing about keys that were quiet for one window.
 */
export class SlidingLog {
  readonly #policy: Policy
  /** Keys in order of their last call. */
  readonly #calls = new Map<string, Calls>()

  constructor(policy: Policy) {
    this.#policy = policy
  }

  /**
   * Counts `count` calls of `key` at `now` (milliseconds, never decreasing) unless the window has no room for all of them. A count of 0 counts
   * nothing and tells whether there is room for one.
   */
  take(key: string, now: number, limit: number = this.#policy.limit, count = 1): Standing {
    const since = now - this.#policy.seconds * 1000
    this.#forget(since)
    const calls = this.#within(key, since)
    const over = calls.times.length - calls.first + Math.max(1, count) - limit
    if (over <= 0 && count > 0) this.#add(key, calls, now, count)
    const { times, first } = calls
    const leaving = times[first + Math.max(1, over) - 1]
    return {
      allowed: over <= 0,
      policy: { ...this.#policy, limit },
      remaining: Math.max(0, limit - (times.length - first)),
      resetSeconds: leaving === undefined ? 0 : Math.ceil((leaving - since) / 1000),
    }
  }

  /** Counts a call that a former process admitted at `at`. Calls come oldest first. */
  recall(key: string, at: number): void {
    const since = at - this.#policy.seconds * 1000
    this.#forget(since)
    this.#add(key, this.#within(key, since), at, 1)
  }

  #add(key: string, calls: Calls, at: number, count: number): void {
    for (let n = 0; n < count; n++) calls.times.push(at)
    this.#calls.delete(key)
    this.#calls.set(key, calls)
  }

  /** The calls of a key after `since`. Older ones are removed in few large steps, as there may be many thousands. */
  #within(key: string, since: number): Calls {
    const calls = this.#calls.get(key) ?? { times: [], first: 0 }
    while (calls.first < calls.times.length && calls.times[calls.first]! <= since) calls.first++
    if (calls.first * 2 >= calls.times.length) {
      calls.times.splice(0, calls.first)
      calls.first = 0
    }
    return calls
  }

  #forget(since: number): void {
    for (const [key, { times }] of this.#calls) {
      if (times.at(-1)! > since) return
      this.#calls.delete(key)
    }
  }
}

/** All budgets of this process. The engine's tier of an account decides how much it has. */
export class Budgets {
  readonly #freeHere: readonly VenueBudgetName[]
  readonly #logs = Object.fromEntries(Object.entries(BUDGETS).map(([name, policy]) => [name, new SlidingLog(policy)])) as Record<
    VenueBudgetName,
    SlidingLog
  >

  /** `freeHere`: budgets that do not bind programs on this machine. */
  constructor(freeHere: readonly VenueBudgetName[] = []) {
    this.#freeHere = freeHere
  }

  /** Counts calls of `key` (an account or an address) like `SlidingLog.take`; null when they have no limit. `from` is the client's address. */
  take(name: VenueBudgetName, key: string, from: string, tier: Tier, now: number, count = 1): Standing | null {
    const limit = BUDGETS[name].limit * FACTORS[tier]
    if (!Number.isFinite(limit) || (this.#freeHere.includes(name) && isLoopback(from))) return null
    return this.#logs[name].take(key, now, limit, count)
  }

  /** Counts a call that a former process admitted at `at`. Calls come oldest first. */
  recall(name: VenueBudgetName, key: string, at: number): void {
    this.#logs[name].recall(key, at)
  }
}
