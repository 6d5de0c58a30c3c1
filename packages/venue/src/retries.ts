import type { Hex } from '@augury/engine/command'
import { namedRequestId, requestId } from '@augury/signing/order-id'
import type { Trader } from './access/identity.ts'

/** As long as the engine knows what became of a request. */
const KEPT_MS = 120_000

/**
 * Which request a signed one repeats. The same bytes are the same request, whatever happens; where its sender gave it an `Idempotency-Key`,
 * so is one that is signed anew with the same key for the same thing, in this process and for two minutes. That header is not signed: it
 * only ever makes one request of two, never two of one.
 */
export class Retries {
  readonly #now: () => number
  readonly #first = new Map<Hex, { id: Hex; at: number }>()

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Id of a request for `content`. */
  idOf({ account, key, signature, idempotencyKey }: Trader, content: readonly unknown[]): Hex {
    this.#forgetOld()
    const own = requestId(key, signature)
    const names = idempotencyKey === undefined ? [own] : [own, namedRequestId(account, idempotencyKey, ['Idempotency-Key', content])]
    const id = names.map((name) => this.#first.get(name)?.id).find((known) => known !== undefined) ?? own
    if (names.length > 1) for (const name of names) if (!this.#first.has(name)) this.#first.set(name, { id, at: this.#now() })
    return id
  }

  #forgetOld(): void {
    for (const [name, { at }] of this.#first) {
      if (this.#now() - at < KEPT_MS) return
      this.#first.delete(name)
    }
  }
}
