import { OutcomeUnknown } from '../../record/log/outcome-unknown.ts'

interface Waiting {
  /** Milliseconds of the clock by which it is answered. */
  until: number
  reject(error: Error): void
}

/** Milliseconds in which a caller is answered, and how often that is checked. */
const [PATIENCE_MS, TICK_MS] = [9500, 250]

/**
 * Bounds how long callers wait. A command may wait behind others of its account, then for its row, then for its commit; each of these waits has
 * an end of its own, and together they may be longer than a caller waits.
 */
export class Patience {
  /** In the order of their ends, as all wait equally long. */
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | null = null

  /** Returns the result of some work, or rejects with OutcomeUnknown when it takes too long. The work goes on. */
  bound<Output>(work: Promise<Output>): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const waiting = { until: performance.now() + PATIENCE_MS, reject }
      this.#waiting.add(waiting)
      this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
      work.then(
        (output) => {
          this.#waiting.delete(waiting)
          resolve(output)
        },
        (error: unknown) => {
          this.#waiting.delete(waiting)
          reject(error)
        },
      )
    })
  }

  #tick(): void {
    const now = performance.now()
    for (const waiting of this.#waiting) {
      if (waiting.until > now) return
      this.#waiting.delete(waiting)
      waiting.reject(new OutcomeUnknown())
    }
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }
}
