/** Work that took less is never put off. */
const SHORT_MS = 1
/** Work is put off no longer, however long it takes. */
const MOST_MS = 50
/** How many times as long as it took work waits: it has a quarter of the time at most. */
const REST = 3

/**
 * Work that leaves time for the rest: it runs when the turn of the event loop that asked for it is over, after it has run it waits, and
 * then does at once what has gathered until then. While it is quick it does not wait.
 */
export class Pace {
  readonly #work: () => void
  #notBefore = 0
  /** Forgets the run that is to come. */
  #cancel: (() => void) | null = null

  constructor(work: () => void) {
    this.#work = work
  }

  /** Runs the work as soon as it may: behind what the present turn has to do, so that whoever placed an order is answered first. */
  request(): void {
    if (this.#cancel) return
    const wait = this.#notBefore - performance.now()
    if (wait > 0) {
      const timer = setTimeout(() => this.run(), wait)
      this.#cancel = () => clearTimeout(timer)
    } else {
      const immediate = setImmediate(() => this.run())
      this.#cancel = () => clearImmediate(immediate)
    }
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
    this.#cancel?.()
    this.#cancel = null
  }
}
