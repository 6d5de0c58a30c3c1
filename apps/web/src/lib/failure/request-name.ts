/**
 * What somebody asked for last, and its name. As long as nobody knows what became of it, the same is asked for under the same name, so that it is
 * done once.
 */
export class RequestName {
  readonly #lasts: number
  readonly #now: () => number
  #last = { what: '', ref: '', at: 0 }

  /** `lasts`: milliseconds for which whoever is asked is sure to know the name again; for ever, unless told. */
  constructor({ lasts = Number.POSITIVE_INFINITY, now = () => performance.now() }: { lasts?: number; now?: () => number } = {}) {
    this.#lasts = lasts
    this.#now = now
  }

  /** The name under which to ask for `what`. Null where it was asked for too long ago to be known again: it has to be looked up first. */
  of(what: string): string | null {
    if (this.#last.what !== what) this.#last = { what, ref: crypto.randomUUID(), at: this.#now() }
    return this.#now() - this.#last.at < this.#lasts ? this.#last.ref : null
  }

  /** What was asked for is known to be done, or not to be: the same asked for again is another request. */
  forget(): void {
    this.#last = { what: '', ref: '', at: 0 }
  }
}
