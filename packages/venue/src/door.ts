import type { VenueOperationName } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'

/** How long a request may have to wait before its kind is turned away: the kinds differ in nothing else. */
interface Bound {
  /** Milliseconds of processor time that the event loop has spent on one turn: what waits in sockets waits for the turns to be short. */
  turn: number
  /** The same once a crowd stands there: who is let in then waits for no more than this. */
  standing: number
  /** Milliseconds for which the oldest command in the queue has waited for a row. */
  queue: number
}

/** What adds risk, what lessens it or tells somebody where they stand, and everything else. */
const ADDING: Bound = { turn: 40, standing: 20, queue: 1000 }
const ORDINARY: Bound = { turn: 160, standing: 60, queue: 3000 }
/** Queued, it is given up by the queue itself. */
const LESSENING: Bound = { turn: 2000, standing: 2000, queue: Number.POSITIVE_INFINITY }

/** A turn of so much work has found a crowd; one of less, or nobody, has seen the end of it. */
const CROWD_MS = 10
/** Work of turns in a row that have found one, none of them counted as more than a full one: from then on it stands. A burst is gone by then. */
const STANDING_MS = 200

const bounds: Partial<Record<VenueOperationName, Bound>> = {
  ...{ placeOrder: ADDING, placeOrders: ADDING, replaceOrder: ADDING },
  ...{ cancelOrder: LESSENING, cancelOrderById: LESSENING, cancelOrders: LESSENING, cancelAll: LESSENING, cancelMarketOrders: LESSENING },
  ...{ amendOrder: LESSENING, postHeartbeat: LESSENING, cancelAfter: LESSENING, pauseVenue: LESSENING, cancelOnlyVenue: LESSENING },
  ...{ listOrders: LESSENING, getOrder: LESSENING, lookUpOrders: LESSENING, listHolds: LESSENING, getBalance: LESSENING },
  ...{ getLimits: LESSENING, listEvents: LESSENING, listOwnTrades: LESSENING },
  ...{ getTime: LESSENING, getOk: LESSENING, getStatus: LESSENING, getHealthz: LESSENING, getReadyz: LESSENING },
}

/** What a door measures by. */
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
 * Turns requests away by their kind when there are more than can be done, before anything is spent on them. When the event loop is what
 * everybody waits for, one turn of it finds more and more requests; so the work of one turn is the measure, in processor time, which a
 * pause or a busy neighbour does not lengthen. A burst may fill a long turn. When turn after turn finds a crowd, letting in as many only
 * makes all of them wait, so fewer are.
 */
export class Door {
  readonly #meter: Meter
  #inTurn = false
  #began = 0
  #beganProcessor = 0
  /** Milliseconds of processor time of this turn, as far as somebody had to ask. */
  #spent = 0
  /** Milliseconds of processor time of the turns in a row that found a crowd, as `STANDING_MS` counts them. */
  #crowded = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** Lets a request in, or throws 503 `overloaded`. */
  admit(name: VenueOperationName): void {
    const { turn, standing, queue } = bounds[name] ?? ORDINARY
    const bound = this.#crowded >= STANDING_MS ? standing : turn
    if (this.#work(bound) >= bound || this.#meter.queued() >= queue) throw full
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
    this.#meter.afterTurn(() => this.#end())
  }

  /** When what this turn brought is done. */
  #end(): void {
    this.#crowded = this.#work(CROWD_MS) >= CROWD_MS ? this.#crowded + Math.min(this.#spent, ADDING.turn) : 0
    this.#inTurn = false
    // A turn that brings nobody does not begin, so it has to be looked for.
    if (this.#crowded > 0)
      this.#meter.afterTurn(() => {
        if (!this.#inTurn) this.#crowded = 0
      })
  }
}
