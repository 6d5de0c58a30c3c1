import type { Clock } from '../../base/clock.ts'

/** How much longer callers wait while the follower is starting. */
const START_MS = 5000

/** How far history is written, and the callers that wait for more. */
export class Progress {
  readonly #clock: Clock
  readonly #onAwaited: () => void
  #projected = { seq: 0, at: 0 }
  #waiting: { seq: number; resolve(): void }[] = []
  /** Whether the follower is starting. */
  isStarting = false

  /** `onAwaited` is called when a caller begins to wait, and whenever history advanced without reaching every caller. */
  constructor(clock: Clock, onAwaited: () => void = () => {}) {
    this.#clock = clock
    this.#onAwaited = onAwaited
  }

  /** Position and engine milliseconds of the last row that history has. */
  projected(): { seq: number; at: number } {
    return this.#projected
  }

  /** Resolves true once history has reached a position, false after `ms` milliseconds (longer while the follower is starting). */
  async reached(seq: number, ms: number): Promise<boolean> {
    if (this.#projected.seq >= seq) return true
    this.#onAwaited()
    return new Promise((resolve) => {
      const waiting = { seq, resolve: () => resolve(true) }
      this.#waiting.push(waiting)
      const forget = this.#clock.after(this.isStarting ? ms + START_MS : ms, () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
        resolve(false)
      })
      waiting.resolve = () => {
        forget()
        resolve(true)
      }
    })
  }

  /** History has been written up to a row. */
  advance({ seq, at }: { seq: number; at: number }): void {
    this.#projected = { seq, at }
    const reached = this.#waiting.filter((waiting) => waiting.seq <= seq)
    this.#waiting = this.#waiting.filter((waiting) => waiting.seq > seq)
    if (this.#waiting.length > 0) this.#onAwaited()
    for (const { resolve } of reached) resolve()
  }
}
