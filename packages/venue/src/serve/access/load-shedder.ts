import type { ShedClass } from '@augury/wire/operation'
import { type VenueOperationName, venueOperations } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { ConcurrencyLimit } from './concurrency-limit.ts'

/** Who sends a request, by what it claims; asked only where it matters. */
export type Claim = () => string | null

/** Load at which a kind of request is turned away. */
interface Bound {
  /** Milliseconds of processor time spent in the current turn of the event loop: requests waiting in sockets wait for it to end. */
  turn: number
  /** Milliseconds for which the oldest queued command has waited for a row. */
  queue: number
}

/** Orders that add risk. */
const ADDS_RISK: Bound = { turn: 40, queue: 1000 }
const ORDINARY: Bound = { turn: 160, queue: 3000 }
/** Requests that reduce risk, or show an account where it stands. The queue itself rejects those that wait too long. */
const REDUCES_RISK: Bound = { turn: 2000, queue: Number.POSITIVE_INFINITY }

const BOUNDS: { readonly [Class in ShedClass]: Bound } = { 'adds risk': ADDS_RISK, ordinary: ORDINARY, 'reduces risk': REDUCES_RISK }
const bounds = new Map(Object.entries(venueOperations).map(([name, { shed }]) => [name as VenueOperationName, BOUNDS[shed]]))

/** Measures load. */
export interface Meter {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Milliseconds of processor time of this thread so far. Costs a system call. */
  processor(): number
  /** Milliseconds for which the oldest queued command has waited. */
  queued(): number
  /** Calls once when the current turn of the event loop has ended. */
  afterTurn(call: () => void): void
}

/** The meter of a running process. */
export const hostMeter = (queued: () => number): Meter => ({
  now: () => performance.now(),
  processor() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
  queued,
  afterTurn: (call) => void setImmediate(call),
})

/** How many times the limit of orders is there for accounts with few. */
const FOR_FEW = 2

/** The orders of all accounts that are under way. */
class Underway {
  readonly #by = new Map<string, number>()
  #total = 0

  /** `count` more, or fewer where it is below zero. */
  add(account: string, count: number): void {
    const own = (this.#by.get(account) ?? 0) + count
    if (own === 0) this.#by.delete(account)
    else this.#by.set(account, own)
    this.#total += count
  }

  /** Whether an account with one more would have at most half of what accounts have on average. */
  isFew(account: string): boolean {
    const own = this.#by.get(account) ?? 0
    const accounts = this.#by.size + (own === 0 ? 1 : 0)
    return (own + 1) * accounts * 2 <= this.#total
  }
}

/**
 * Turns requests away by kind under overload, before anything is spent on them. Orders are admitted while those under way are answered
 * soon (`ConcurrencyLimit`). When the event loop itself is the bottleneck, each turn of it finds more requests, so every kind is also held
 * against the work of one turn, in processor time, which a pause or a busy neighbour does not lengthen.
 *
 * Accounts that send few orders do not pay for one that sends many: where orders are turned away, those of an account with few under way
 * are still admitted, until there are twice as many as may be, or other requests are turned away too.
 */
export class LoadShedder {
  readonly #meter: Meter
  readonly #orders = new ConcurrencyLimit()
  readonly #underway = new Underway()
  #inTurn = false
  #began = 0
  #beganProcessor = 0
  /** Milliseconds of processor time of this turn when it was last measured. */
  #spent = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Lets a request in, or throws 503 `overloaded`. */
  admit(name: VenueOperationName, claim: Claim): void {
    if (this.sheds(name, claim)) throw new ServiceError('overloaded', { retryAfter: 1 })
  }

  /**
   * Whether a request of this kind is turned away now. Cheap enough to be asked twice where a body has to be read: before, to spare reading
   * it, and after, because others may have been let in meanwhile.
   */
  sheds(name: VenueOperationName, claim: Claim): boolean {
    const bound = bounds.get(name)!
    if (bound !== ADDS_RISK) return this.#exceeds(bound)
    if (!this.#orders.isFull() && !this.#exceeds(ADDS_RISK)) return false
    const account = claim()
    return account === null || !this.#underway.isFew(account) || this.#orders.isFull(FOR_FEW) || this.#exceeds(ORDINARY)
  }

  /** Runs an admitted request of an account and, when it places orders, measures how long it takes; `orders` is how many it places. */
  measure<Output>(name: VenueOperationName, account: string, orders: number, work: () => Promise<Output>): Promise<Output> {
    return bounds.get(name) === ADDS_RISK ? this.#place(account, orders, work) : work()
  }

  async #place<Output>(account: string, orders: number, work: () => Promise<Output>): Promise<Output> {
    const entered = this.#meter.now()
    this.#orders.enter(entered, orders)
    this.#underway.add(account, orders)
    try {
      return await work()
    } finally {
      this.#orders.leave(entered, this.#meter.now(), orders)
      this.#underway.add(account, -orders)
    }
  }

  #exceeds({ turn, queue }: Bound): boolean {
    return this.#work(turn) >= turn || this.#meter.queued() >= queue
  }

  /** Processor time of this turn in milliseconds; not refreshed while it is certainly below `bound`. */
  #work(bound: number): number {
    if (!this.#inTurn) this.#begin()
    else if (this.#spent < bound && this.#meter.now() - this.#began >= bound) this.#spent = this.#meter.processor() - this.#beganProcessor
    return this.#spent
  }

  #begin(): void {
    this.#inTurn = true
    this.#spent = 0
    this.#began = this.#meter.now()
    this.#beganProcessor = this.#meter.processor()
    this.#meter.afterTurn(() => {
      this.#inTurn = false
    })
  }
}
