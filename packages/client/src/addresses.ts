import { NoAnswerError, RefusedError } from './answer.ts'

/** An address of the exchange, or those of several of its programs, of which one writes and the others follow. */
export type Addresses = string | readonly string[]

/** Which of several addresses is asked. */
export class AddressList {
  readonly #all: readonly string[]
  #at = 0

  /** Without the slashes at their ends. Throws a `TypeError` when there is none. */
  constructor(addresses: Addresses) {
    this.#all = [addresses].flat().map((address) => address.replace(/\/+$/, ''))
    if (this.#all.length === 0) throw new TypeError('an exchange has an address')
  }

  get current(): string {
    return this.#all[this.#at]!
  }

  /** From now on the next one is asked. Does nothing when this one was left meanwhile. */
  leave(address: string): void {
    if (address === this.current) this.#at = (this.#at + 1) % this.#all.length
  }

  /** Asks at the current address, and leaves it when it does not answer or only follows. */
  async ask<T>(request: (address: string) => Promise<T>): Promise<T> {
    const address = this.current
    try {
      return await request(address)
    } catch (error) {
      if (error instanceof NoAnswerError || (error instanceof RefusedError && error.code === 'standby')) this.leave(address)
      throw error
    }
  }
}
