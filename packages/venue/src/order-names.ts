import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { clientOrderHash } from '@augury/signing/order-id'
import type { LookUps } from './history/look-ups.ts'
import type { ReadModel } from './history/read-model.ts'

/** How long a name is remembered here: long enough for history to know it. Milliseconds. */
const REMEMBERED_MS = 10 * 60 * 1000

interface Claim {
  orderId: Hex
  at: number
  /** Whether no other order had the name before. */
  isFree: Promise<boolean>
}

/**
 * The names that accounts give to their orders: one order each. A plain order's id is made of its name, so the engine sees to it; a
 * wallet-signed order has an id of its own and its name beside it, which only this place and history know.
 */
export class OrderNames {
  readonly #exchange: Pick<Exchange, 'seq' | 'order'>
  readonly #lookUps: Pick<LookUps, 'named'>
  readonly #history: Pick<ReadModel, 'waitFor'>
  /** By account and name, in order of their claims. */
  readonly #claims = new Map<string, Claim>()
  /** Position of the log behind which every claim was made here: what another process took before, only history knows. */
  #since: number | null = null

  constructor(exchange: Pick<Exchange, 'seq' | 'order'>, lookUps: Pick<LookUps, 'named'>, history: Pick<ReadModel, 'waitFor'>) {
    this.#exchange = exchange
    this.#lookUps = lookUps
    this.#history = history
  }

  /** Takes a name for an order. False when another order has it. `now` in engine milliseconds. */
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
      this.release(account, name, orderId) // nobody knows: who asks again is not to be believed
      throw error
    }
    this.release(account, name, orderId)
    return false
  }

  /** The order that an account calls so, or null. */
  async find(account: Hex, name: string): Promise<Hex | null> {
    const claimed = this.#claims.get(`${account}/${name}`)
    if (claimed) return claimed.orderId
    const plainId = clientOrderHash(account, name)
    this.#since ??= this.#exchange.seq
    if (this.#exchange.order(plainId)) return plainId
    await this.#history.waitFor(this.#since)
    return (await this.#lookUps.named(account, name))?.orderId ?? null
  }

  /** Gives a name back: the order was refused and never was. */
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
