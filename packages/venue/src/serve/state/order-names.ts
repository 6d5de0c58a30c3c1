import { setTimeout } from 'node:timers/promises'
import type { Hex } from '@augury/engine/command'
import { clientOrderHash } from '@augury/signing/order-id'
import { ServiceError } from '@augury/wire/service-error'
import { chain, type MaybePromise } from '../../base/maybe-promise.ts'
import { NameFilter } from '../../base/name-filter.ts'
import type { Venue } from '../../record/venue.ts'
import type { LookUps } from './look-ups.ts'

/** How long a name is remembered here, in milliseconds: long enough for history to have it. */
const REMEMBERED_MS = 10 * 60 * 1000
/** Milliseconds until history's names are read again when that failed. */
const RETRY_MS = 60_000

interface Claim {
  orderId: Hex
  at: number
  /** Whether no other order had the name before. */
  isFree: MaybePromise<boolean>
}

/**
 * Client order ids (names): each belongs to one order of its account. A plain order's id is derived from its name, so the engine enforces
 * it. A wallet-signed order has an id of its own, so its name is known only here and in history.
 *
 * History is asked only about names that a filter may have seen. It has those of before, once they were read, and those that were forgotten
 * here.
 */
export class OrderNames {
  readonly #venue: Pick<Venue, 'exchange' | 'readModel'>
  readonly #lookUps: Pick<LookUps, 'named'>
  readonly #readNames: (filter: NameFilter, signal: AbortSignal) => Promise<void>
  readonly #onError: (error: Error) => void
  readonly #retryMs: number
  /** By hash of account and name, oldest claim first. */
  readonly #claims = new Map<Hex, Claim>()
  readonly #past = new NameFilter()
  #isPastRead = false
  readonly #closing = new AbortController()
  /** Log position after which every claim was made in this process; earlier claims, of another process, are in history. */
  #since: number | null = null

  /** `readNames` adds the hash of every name that history has to a filter, until `signal` ends that; why it failed goes to `onError`. */
  constructor(
    venue: Pick<Venue, 'exchange' | 'readModel'>,
    lookUps: Pick<LookUps, 'named'>,
    readNames: (filter: NameFilter, signal: AbortSignal) => Promise<void>,
    onError: (error: Error) => void,
    retryMs = RETRY_MS,
  ) {
    this.#venue = venue
    this.#lookUps = lookUps
    this.#readNames = readNames
    this.#onError = onError
    this.#retryMs = retryMs
  }

  /** Reads no more names. */
  close(): void {
    this.#closing.abort()
  }

  /**
   * Whether certainly no order ever had the name with this hash, which is the id of a plain order of that name. False while history's names
   * are being read.
   */
  isNew(hash: Hex): boolean {
    return this.#isPastRead && !this.#claims.has(hash) && !this.#past.mayHave(hash)
  }

  /** Claims a name for an order; false when another order has it. `now` in engine milliseconds. Throws `read_model_lagging`. */
  claim(account: Hex, name: string, orderId: Hex, now: number): MaybePromise<boolean> {
    this.#forget(now)
    const hash = clientOrderHash(account, name)
    const claimed = this.#claims.get(hash)
    if (claimed) return claimed.orderId === orderId && claimed.isFree
    const isFree = chain(this.#find(account, name, hash), (known) => known === null || known === orderId)
    if (isFree !== false) this.#claims.set(hash, { orderId, at: now, isFree })
    if (isFree instanceof Promise) {
      const giveBack = () => this.#release(hash, orderId)
      // Taken, or unknown: the claim must not stand.
      isFree.then((free) => free || giveBack(), giveBack)
    }
    return isFree
  }

  /** The id of the order with this name, or null. Throws `read_model_lagging`. */
  find(account: Hex, name: string): MaybePromise<Hex | null> {
    const hash = clientOrderHash(account, name)
    return this.#claims.get(hash)?.orderId ?? this.#find(account, name, hash)
  }

  /** Frees the name of an order that was refused. */
  release(account: Hex, name: string, orderId: Hex): void {
    this.#release(clientOrderHash(account, name), orderId)
  }

  #release(hash: Hex, orderId: Hex): void {
    if (this.#claims.get(hash)?.orderId === orderId) this.#claims.delete(hash)
  }

  /** As `find`, of a client order id that was not used here lately. */
  #find(account: Hex, name: string, hash: Hex): MaybePromise<Hex | null> {
    const { exchange } = this.#venue
    if (this.#since === null) {
      this.#since = exchange.seq
      void this.#readPast(this.#since)
    }
    if (exchange.order(hash)) return hash
    return this.isNew(hash) ? null : this.#ask(account, name, this.#since)
  }

  async #ask(account: Hex, name: string, since: number): Promise<Hex | null> {
    await this.#venue.readModel.waitFor(since)
    return (await this.#lookUps.named(account, name))?.orderId ?? null
  }

  async #readPast(since: number): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted && !this.#isPastRead) {
      try {
        await this.#venue.readModel.waitFor(since)
        await this.#readNames(this.#past, signal)
        this.#isPastRead = true
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof ServiceError)) this.#onError(error as Error) // that history lags is known elsewhere
        await setTimeout(this.#retryMs, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }

  #forget(now: number): void {
    for (const [hash, { at }] of this.#claims) {
      if (now - at < REMEMBERED_MS) return
      this.#claims.delete(hash)
      this.#past.add(hash)
    }
  }
}
