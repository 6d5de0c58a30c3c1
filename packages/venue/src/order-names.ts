import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { clientOrderHash } from '@augury/signing/order-id'
import type { LookUps } from './history/look-ups.ts'
import type { ReadModel } from './history/read-model.ts'

/** How long a name is remembered here, in milliseconds: long enough for history to have it. */
const REMEMBERED_MS = 10 * 60 * 1000

interface Claim {
  orderId: Hex
  at: number
  /** Whether no other order had the name before. */
  isFree: Promise<boolean>
}

/**
 * Client order ids (names): each belongs to one order of its account. A plain order's id is derived from its name, so the engine enforces
 * it. A wallet-signed order has an id of its own, so its name is known only here and in history.
 */
export class OrderNames {
  readonly #exchange: Pick<Exchange, 'seq' | 'order'>
  readonly #lookUps: Pick<LookUps, 'named'>
  readonly #history: Pick<ReadModel, 'waitFor'>
  /** By `account/name`, oldest claim first. */
  readonly #claims = new Map<string, Claim>()
  /** Log position after which every claim was made in this process; earlier claims, of another process, are in history. */
  #since: number | null = null

  constructor(exchange: Pick<Exchange, 'seq' | 'order'>, lookUps: Pick<LookUps, 'named'>, history: Pick<ReadModel, 'waitFor'>) {
    this.#exchange = exchange
    this.#lookUps = lookUps
    this.#history = history
  }

  /** Claims a name for an order; false when another order has it. `now` in engine milliseconds. Throws `read_model_lagging`. */
  async claim(account: Hex, name: string, orderId: Hex, now: number): Promise<boolean> {
    this.#forget(now)
    const key = `${account}/${name}`
    const claimed = this.#claims.get(key)
    if (claimed) return claimed.orderId === orderId && claimed.isFree
    const isFree = this.find(account, name).then((known) => known === null || known === orderId)
    this.#claims.set(key, { orderId, at: now, isFree })
    try {
      if (await isFree) return true
    } catch (error) {
      this.release(account, name, orderId) // unknown, so the claim must not stand
      throw error
    }
    this.release(account, name, orderId)
    return false
  }

  /** The id of the order with this name, or null. Throws `read_model_lagging`. */
  async find(account: Hex, name: string): Promise<Hex | null> {
    const claimed = this.#claims.get(`${account}/${name}`)
    if (claimed) return claimed.orderId
    const plainId = clientOrderHash(account, name)
    this.#since ??= this.#exchange.seq
    if (this.#exchange.order(plainId)) return plainId
    await this.#history.waitFor(this.#since)
    return (await this.#lookUps.named(account, name))?.orderId ?? null
  }

  /** Frees the name of an order that was refused. */
  release(account: Hex, name: string, orderId: Hex): void {
    const key = `${account}/${name}`
    if (this.#claims.get(key)?.orderId === orderId) this.#claims.delete(key)
  }

  #forget(now: number): void {
    for (const [key, { at }] of this.#claims) {
      if (now - at < REMEMBERED_MS) return
      this.#claims.delete(key)
    }
  }
}
