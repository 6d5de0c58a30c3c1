/** The only source of time of the venue; the simulator brings its own. All values are milliseconds. */
export interface Clock {
  /** Unix time of the host, which may be wrong and may jump. */
  wall(): number
  /** Never goes back; the zero is arbitrary. */
  monotonic(): number
  /** Calls once, later. Returns the function that cancels it. */
  after(ms: number, call: () => void): () => void
}

/** The host's clock. */
export const hostClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms` milliseconds of the given clock. */
export const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))

/** How much faster or slower than the monotonic clock engine time may run to meet the wall clock. */
const SLEW = 0.05

/**
 * Engine time: monotonic time, slewed towards the wall clock by at most 5 %, never going back. It begins at the later of the last
 * committed row and the wall clock; that is its only jump.
 */
export class EngineTime {
  readonly #clock: Clock
  #engine: number
  #mark: number

  constructor(clock: Clock, lastAt: number) {
    this.#clock = clock
    this.#engine = Math.max(lastAt, clock.wall())
    this.#mark = clock.monotonic()
  }

  /** Engine milliseconds, an integer. */
  now(): number {
    const mark = this.#clock.monotonic()
    const elapsed = mark - this.#mark
    if (elapsed > 0) {
      this.#mark = mark
      const behind = this.#clock.wall() - (this.#engine + elapsed)
      this.#engine += elapsed + Math.max(-SLEW * elapsed, Math.min(SLEW * elapsed, behind))
    }
    return Math.floor(this.#engine)
  }

  /** Jumps forward to the later of `lastAt` and the wall clock, after the lease was taken again. */
  catchUp(lastAt: number): void {
    this.now()
    this.#engine = Math.max(this.#engine, lastAt, this.#clock.wall())
  }
}
