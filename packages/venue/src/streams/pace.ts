/** Work that took less is never put off. */
const SHORT_MS = 1
/** Work is put off no longer, however long it takes. */
const MOST_MS = 50
/** How many times as long as it took work waits: it has a quarter of the time at most. */
const REST = 3

/**
 * Work that leaves time for the rest: after it has run it waits, and then does at once what has gathered until then. While it is quick it
 * runs whenever it is asked to.
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
    const now = performance.now()
    this.#notBefore = now - begun < SHORT_MS ? 0 : now + Math.min(REST * (now - begun), MOST_MS)
  }

  /** Forgets what was put off. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
