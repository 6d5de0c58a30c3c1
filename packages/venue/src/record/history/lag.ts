import { Fifo } from '../../base/fifo.ts'

/** Measures the age of the oldest row that history does not have yet: after an idle hour, one new row is no lag of an hour. */
export class Lag {
  readonly #projected: () => number
  readonly #rows = new Fifo<{ lastSeq: number; at: number }>()

  /** `projected` returns the position that history has reached. */
  constructor(projected: () => number) {
    this.#projected = projected
  }

  /** Notes a row that history will have to write; `at` in engine milliseconds. */
  add(lastSeq: number, at: number): void {
    this.#forget() // keeps the list short even without requests
    this.#rows.push({ lastSeq, at })
  }

  /** Seconds by which history is behind at `now`. */
  seconds(now: number): number {
    this.#forget()
    const oldest = this.#rows.first
    return oldest ? Math.max(0, now - oldest.at) / 1000 : 0
  }

  #forget(): void {
    const projected = this.#projected()
    while (this.#rows.size > 0 && this.#rows.first!.lastSeq <= projected) this.#rows.shift()
  }
}
