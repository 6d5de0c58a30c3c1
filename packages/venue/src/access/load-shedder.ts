import type { VenueOperationName } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { ConcurrencyLimit } from './concurrency-limit.ts'

/** How long a request may have to wait before its kind is turned away: the kinds differ in nothing else. */
interface Bound {
  /** Milliseconds of processor time that the event loop has spent on one turn: what waits in sockets waits for the turns to be short. */
  turn: number
  /** Milliseconds for which the oldest command in the queue has waited for a row. */
  queue: number
}

/** What adds risk, what lessens it or tells somebody where they stand, and everything else. */
const ADDING: Bound = { turn: 40, queue: 1000 }
const ORDINARY: Bound = { turn: 160, queue: 3000 }
/** Queued, it is given up by the queue itself. */
const LESSENING: Bound = { turn: 2000, queue: Number.POSITIVE_INFINITY }

const bounds: Partial<Record<VenueOperationName, Bound>> = {
  ...{ placeOrder: ADDING, placeOrders: ADDING, replaceOrder: ADDING },
  ...{ cancelOrder: LESSENING, cancelOrderById: LESSENING, cancelOrders: LESSENING, cancelAll: LESSENING, cancelMarketOrders: LESSENING },
  ...{ amendOrder: LESSENING, postHeartbeat: LESSENING, cancelAfter: LESSENING, pauseVenue: LESSENING, cancelOnlyVenue: LESSENING },
  ...{ listOrders: LESSENING, getOrder: LESSENING, lookUpOrders: LESSENING, listHolds: LESSENING, getBalance: LESSENING },
  ...{ getLimits: LESSENING, listEvents: LESSENING, listOwnTrades: LESSENING },
  ...{ getTime: LESSENING, getOk: LESSENING, getStatus: LESSENING, getHealthz: LESSENING, getReadyz: LESSENING },
}

/** What load is measured by. */
export interface Meter {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Milliseconds of processor time of this thread so far. It costs a system call. */
  processor(): number
  /** Milliseconds for which the oldest queued command has waited. */
  queued(): number
  /** Calls once when the event loop has been round. */
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

/** One for all, because the trace of where it was made would cost more than the rest of a refusal. */
const full = new ServiceError('overloaded', { retryAfter: 1 })

/**
 * Turns requests away by their kind when there are more than can be done, before anything is spent on them. Orders are let in as long as
 * those that are under way are answered soon. When the event loop is what everybody waits for, one turn of it finds more and more
 * requests; so every kind is held against the work of one turn, in processor time, which a pause or a busy neighbour does not lengthen.
 */
export class LoadShedder {
  readonly #meter: Meter
  readonly #orders = new ConcurrencyLimit()
  #inTurn = false
  #began = 0
  #beganProcessor = 0
  /** Milliseconds of processor time of this turn, as far as somebody had to ask. */
  #spent = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Lets a request in, or throws 503 `overloaded`. */
  admit(name: VenueOperationName): void {
    if (this.sheds(name)) throw full
  }

  /**
   * Whether a request of this kind is turned away now. It costs little and is asked twice where that spares reading a body: before, so that
   * nothing is spent on who is turned away, and after, because meanwhile others may have been let in.
   */
  sheds(name: VenueOperationName): boolean {
    const bound = bounds[name] ?? ORDINARY
    if (bound === ADDING && this.#orders.isFull()) return true
    return this.#work(bound.turn) >= bound.turn || this.#meter.queued() >= bound.queue
  }

  /** Runs an admitted request, counted as `orders` orders if it has any, and measures how long it takes. */
  measure<Output>(name: VenueOperationName, orders: number, work: () => Promise<Output>): Promise<Output> {
    return bounds[name] === ADDING ? this.#place(orders, work) : work()
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

  /** Processor time of this turn; less when it is certainly below `bound`. */
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
