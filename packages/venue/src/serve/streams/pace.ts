/** Work that took less than this is never delayed. */
const SHORT_MS = 1
/** The longest delay, however long the work takes. */
const MOST_MS = 50
/** The delay as a multiple of the time that the work took, so that it has at most a quarter of all time. */
const REST = 3

/**
 * Limits how much of the time some repeated work takes: after a long run the next one is delayed, and then does everything that gathered
 * meanwhile. Quick work runs whenever it is requested.
 */
export class Pace {
  readonly #work: () => void
  #notBefore = 0
  #timer: NodeJS.Timeout | null = null

  constructor(work: () => void) {
    this.#work = work
  }

  /** Runs the work, now or as soon as it may. */
  request(): void {
    if (this.#timer) return
    const wait = this.#notBefore - performance.now()
    if (wait <= 0) this.run()
    else this.#timer = setTimeout(() => this.run(), wait)
  }

  /** Runs the work now. */
  run(): void {
    this.stop()
    const begun = performance.now()
    this.#work()
    this.#rest(begun)
    // What the work resolved runs before anything else does: readers who pull make their messages then.
    queueMicrotask(() => process.nextTick(() => this.#rest(begun)))
  }

  #rest(begun: number): void {
    const now = performance.now()
    this.#notBefore = now - begun < SHORT_MS ? 0 : now + Math.min(REST * (now - begun), MOST_MS)
  }

  /** Cancels a delayed run. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
