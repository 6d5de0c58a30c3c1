import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { clientOrderHash } from '@augury/signing/order-id'
import type { LookUps } from './look-ups.ts'

/** How long a name is remembered here: long enough for history to know it. Milliseconds. */
const REMEMBERED_MS = 10 * 60 * 1000

interface Claim {
  orderId: Hex
  at: number
}

/**
 * The names that accounts give to their orders: one order each. A plain order's id is made of its name, so the engine sees to it; a
 * wallet-signed order has an id of its own and its name beside it, which only this place and history know.
 */
export class OrderNames {
  readonly #exchange: Exchange
  readonly #lookUps: LookUps
  /** By account and name, in order of their claims. */
  readonly #claims = new Map<string, Claim>()

  constructor(exchange: Exchange, lookUps: LookUps) {
    this.#exchange = exchange
    this.#lookUps = lookUps
  }

  /** Takes a name for an order. False when another order has it. `now` in engine milliseconds. */
  async claim(account: Hex, name: string, orderId: Hex, now: number): Promise<boolean> {
    this.#forget(now)
    const key = `${account}/${name}`
    const claimed = this.#claims.get(key)
    if (claimed) return claimed.orderId === orderId
    this.#claims.set(key, { orderId, at: now })
    const plainId = clientOrderHash(account, name)
    const known = plainId !== orderId && this.#exchange.order(plainId) ? plainId : (await this.#lookUps.named(account, name))?.orderId
    if (known === undefined || known === orderId) return true
    this.release(account, name, orderId)
    return false
  }

  /** The order that an account calls so, or null. */
  async find(account: Hex, name: string): Promise<Hex | null> {
    const claimed = this.#claims.get(`${account}/${name}`)
    if (claimed) return claimed.orderId
    const plainId = clientOrderHash(account, name)
    if (this.#exchange.order(plainId)) return plainId
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
