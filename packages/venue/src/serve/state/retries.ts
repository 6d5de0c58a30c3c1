import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { namedRequestId, requestId } from '@augury/signing/order-id'
import type { Trader } from '../access/identity.ts'

/** As long as the engine remembers request ids. Milliseconds. */
const KEPT_MS = 120_000

/**
 * Tells which request a signed one repeats. The same bytes are always the same request. With an `Idempotency-Key`, so is a request that is
 * signed anew under that key with the same content, in this process and for two minutes. The header is not signed: it can only make two
 * requests count as one, never one as two.
 */
export class Retries {
  readonly #venue: { now(): number; exchange: Pick<Exchange, 'knowsRequest'> }
  /** By name; `isDone` where the engine knew the request already when the name was first used for it. */
  readonly #first = new Map<Hex, { id: Hex; at: number; isDone: boolean }>()

  /** Asks the venue for the time, and for what the engine remembers as done. */
  constructor(venue: { now(): number; exchange: Pick<Exchange, 'knowsRequest'> }) {
    this.#venue = venue
  }

  /** Id of a request that asks for `content`. */
  idOf({ account, key, signature, idempotencyKey }: Trader, content: readonly unknown[]): Hex {
    this.#forgetOld()
    const own = requestId(key, signature)
    const names = idempotencyKey === undefined ? [own] : [own, namedRequestId(account, idempotencyKey, ['Idempotency-Key', content])]
    const id = names.map((name) => this.#first.get(name)?.id).find((known) => known !== undefined) ?? own
    const entry = { id, at: this.#venue.now(), isDone: id !== own && this.#venue.exchange.knowsRequest(id) }
    if (names.length > 1) for (const name of names) if (!this.#first.has(name)) this.#first.set(name, entry)
    return id
  }

  /**
   * Whether a request repeats one that was done before and that the engine has forgotten since: it would be done twice. So it is with bytes
   * that were signed anew for an old request, and are sent once more while their signature is good.
   */
  isSpent({ key, signature }: Trader): boolean {
    const first = this.#first.get(requestId(key, signature))
    return first?.isDone === true && !this.#venue.exchange.knowsRequest(first.id)
  }

  #forgetOld(): void {
    for (const [name, { at }] of this.#first) {
      if (this.#venue.now() - at < KEPT_MS) return
      this.#first.delete(name)
    }
  }
}
