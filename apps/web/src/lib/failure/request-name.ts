/** Idempotency key of the last request. While its outcome is unknown, an equal request gets the same key, so that it is done once. */
export class RequestName {
  readonly #lasts: number
  readonly #now: () => number
  #last = { what: '', ref: '', at: 0 }

  /** `lasts`: milliseconds for which the service remembers a key; for ever by default. */
  constructor({ lasts = Number.POSITIVE_INFINITY, now = () => performance.now() }: { lasts?: number; now?: () => number } = {}) {
    this.#lasts = lasts
    this.#now = now
  }

  /** The key for the request `what`. Null if it was sent too long ago to be remembered: its outcome has to be looked up first. */
  of(what: string): string | null {
    if (this.#last.what !== what) this.#last = { what, ref: crypto.randomUUID(), at: this.#now() }
    return this.#now() - this.#last.at < this.#lasts ? this.#last.ref : null
  }

  /** Call when the outcome is known: an equal request then gets a new key. */
  forget(): void {
    this.#last = { what: '', ref: '', at: 0 }
  }
}
