import type { Hex } from '@augury/engine/command'
import { namedRequestId, requestId } from '@augury/signing/order-id'
import type { Trader } from './access/identity.ts'

/** As long as the engine remembers request ids. Milliseconds. */
const KEPT_MS = 120_000

/**
 * Tells which request a signed one repeats. The same bytes are always the same request. With an `Idempotency-Key`, so is a request that is
 * signed anew under that key with the same content, in this process and for two minutes. The header is not signed: it can only make two
 * requests count as one, never one as two.
 */
export class Retries {
  readonly #now: () => number
  readonly #first = new Map<Hex, { id: Hex; at: number }>()

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Id of a request that asks for `content`. */
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
