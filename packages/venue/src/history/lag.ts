/** How old the oldest row is that history does not have yet. After an idle hour one new row is new, not an hour late. */
export class Lag {
  #rows: { lastSeq: number; at: number }[] = []
  #head = 0

  /** Notes a row that history will have to write; `at` in engine milliseconds. */
  add(lastSeq: number, at: number): void {
    this.#rows.push({ lastSeq, at })
  }

  /** Seconds by which history that reaches `projectedSeq` is behind at `now`. */
  seconds(projectedSeq: number, now: number): number {
    while (this.#head < this.#rows.length && this.#rows[this.#head]!.lastSeq <= projectedSeq) this.#head++
    if (this.#head > 1024 || this.#head === this.#rows.length) {
      this.#rows = this.#rows.slice(this.#head)
      this.#head = 0
    }
    const oldest = this.#rows[this.#head]
    return oldest ? Math.max(0, now - oldest.at) / 1000 : 0
  }
}
