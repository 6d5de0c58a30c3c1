/** Milliseconds after which everything is read once more, in case the exchange or this deployment was put back to an earlier state. */
const TRUSTED_MS = 86_400_000

/**
 * Pages of the exchange's list of markets that need not be read again, as far as this process knows: the list only grows at its end, and
 * what is resolved stays so. Neighbours are one stretch, so this holds no more than there are pages with open markets.
 */
export class SettledPages {
  /** Where a stretch ends, by where it begins; '' is the beginning of the list. */
  readonly #ends = new Map<string, string>()
  #from = 0
  #shown = ''

  /** Call before each round; forgets everything when other creators are `shown`, after a day, and when the clock was set back. */
  begin(shown: string, now: Date): void {
    const age = now.getTime() - this.#from
    if (shown === this.#shown && age >= 0 && age < TRUSTED_MS) return
    this.#ends.clear()
    this.#shown = shown
    this.#from = now.getTime()
  }

  /** Where to read on from a cursor: after all settled pages that follow. */
  after(cursor: string | null): string | null {
    const from = cursor ?? ''
    let to = from
    for (let end = this.#ends.get(to); end !== undefined; end = this.#ends.get(to)) {
      this.#ends.delete(to)
      to = end
    }
    if (to === from) return cursor
    this.#ends.set(from, to)
    return to
  }

  /** Remembers a page. The last one never is: it may still grow. */
  settle({ cursor, next }: { cursor: string | null; next: string | null }): void {
    if (next !== null) this.#ends.set(cursor ?? '', next)
  }
}
