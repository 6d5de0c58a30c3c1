import type { VenueOperationName } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { ConcurrencyLimit } from './concurrency-limit.ts'

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

const KINDS: readonly [Bound, readonly VenueOperationName[]][] = [
  [ADDS_RISK, ['placeOrder', 'placeOrders', 'replaceOrder']],
  [
    REDUCES_RISK,
    [
      'cancelOrder',
      'cancelOrderById',
      'cancelOrders',
      'cancelAll',
      'cancelMarketOrders',
      'amendOrder',
      'postHeartbeat',
      'postPlainHeartbeat',
      'cancelAfter',
      'pauseVenue',
      'cancelOnlyVenue',
      'listOrders',
      'getOrder',
      'lookUpOrders',
      'listHolds',
      'getBalance',
      'getLimits',
      'listEvents',
      'listOwnTrades',
      'getTime',
      'getOk',
      'getStatus',
      'getHealthz',
      'getReadyz',
    ],
  ],
]
const bounds = new Map(KINDS.flatMap(([bound, names]) => names.map((name) => [name, bound] as const)))

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

/** One error for all: capturing a stack trace would cost more than the rest of a refusal. */
const full = new ServiceError('overloaded', { retryAfter: 1 })

/**
 * Turns requests away by kind under overload, before anything is spent on them. Orders are admitted while those under way are answered
 * soon (`ConcurrencyLimit`). When the event loop itself is the bottleneck, each turn of it finds more requests, so every kind is also held
 * against the work of one turn, in processor time, which a pause or a busy neighbour does not lengthen.
 */
export class LoadShedder {
  readonly #meter: Meter
  readonly #orders = new ConcurrencyLimit()
  #inTurn = false
  #began = 0
  #beganProcessor = 0
  /** Milliseconds of processor time of this turn when it was last measured. */
  #spent = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Lets a request in, or throws 503 `overloaded`. */
  admit(name: VenueOperationName): void {
    if (this.sheds(name)) throw full
  }

  /**
   * Whether a request of this kind is turned away now. Cheap enough to be asked twice where a body has to be read: before, to spare reading
   * it, and after, because others may have been let in meanwhile.
   */
  sheds(name: VenueOperationName): boolean {
    const bound = bounds.get(name) ?? ORDINARY
    if (bound === ADDS_RISK && this.#orders.isFull()) return true
    return this.#work(bound.turn) >= bound.turn || this.#meter.queued() >= bound.queue
  }

  /** Runs an admitted request and, when it places orders, measures how long it takes; `orders` is how many it places. */
  measure<Output>(name: VenueOperationName, orders: number, work: () => Promise<Output>): Promise<Output> {
    return bounds.get(name) === ADDS_RISK ? this.#place(orders, work) : work()
  }

  async #place<Output>(orders: number, work: () => Promise<Output>): Promise<Output> {
    const entered = this.#meter.now()
    this.#orders.enter(entered, orders)
    try {
      return await work()
    } finally {
      this.#orders.leave(entered, this.#meter.now(), orders)
    }
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
