import type { Clock } from '../clock.ts'

/** How far history is written, and who waits for more. */
export class Progress {
  readonly #clock: Clock
  readonly #onAwaited: () => void
  #projected = { seq: 0, at: 0 }
  #waiting: { seq: number; resolve(): void }[] = []

  /** `onAwaited` hears that somebody waits: when they begin to, and whenever history moved on and they still do. */
  constructor(clock: Clock, onAwaited: () => void = () => {}) {
    this.#clock = clock
    this.#onAwaited = onAwaited
  }

  /** Position and engine milliseconds of the last row that history has. */
  projected(): { seq: number; at: number } {
    return this.#projected
  }

  /** Resolves true when history has reached a position, false when it did not within so many milliseconds. */
  async reached(seq: number, ms: number): Promise<boolean> {
    if (this.#projected.seq >= seq) return true
    this.#onAwaited()
    return new Promise((resolve) => {
      const waiting = { seq, resolve: () => resolve(true) }
      this.#waiting.push(waiting)
      const forget = this.#clock.after(ms, () => {
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
