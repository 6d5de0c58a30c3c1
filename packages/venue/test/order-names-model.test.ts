import { setImmediate } from 'node:timers/promises'
import type { Hex } from '@augury/engine/command'
import { clientOrderHash } from '@augury/signing/order-id'
import { prng } from '@augury/testing/prng'
import { expect, test } from 'vitest'
import type { Venue } from '../src/record/venue.ts'
import { OrderNames } from '../src/serve/state/order-names.ts'
import { address, id } from './commands.ts'

const ANN = address('ann')
const MINUTE = 60_000
/** How far history may be behind and still say that it does not know a name. */
const LAG = 5 * MINUTE

interface Placed {
  orderId: Hex
  at: number
}

/** An exchange whose history lags, with all names that it should know: of each the order, and when that was placed. */
class Model {
  readonly random
  readonly placed = new Map<string, Placed>()
  now = 0
  /** All that was placed until then is in history. */
  written = 0
  names!: OrderNames

  constructor(seed: number) {
    this.random = prng(seed)
    this.start()
  }

  /** A process begins; those before it are gone, with what only they knew. */
  start(): void {
    const begun = this.now
    const inHistory = (name: string) => {
      const found = this.placed.get(name)
      return found && found.at <= this.written ? found : null
    }
    const waitFor = async () => {
      this.written = Math.max(this.written, begun)
    }
    const readNames = async (filter: { add(hash: Hex): void }) => {
      if (this.random.chance(0.3)) throw new Error('away')
      for (const name of this.placed.keys()) if (inHistory(name)) filter.add(clientOrderHash(ANN, name))
    }
    this.names = new OrderNames(
      { exchange: { seq: begun, order: () => null }, readModel: { waitFor } } as unknown as Venue,
      { named: async (_, name) => inHistory(name) as never },
      readNames,
      () => {},
      0,
    )
  }

  /** Places an order under a name; it may be refused. */
  async order(): Promise<void> {
    const [name, orderId] = [`name-${this.random.integer(0, 60)}`, id(`order-${this.random.integer(0, 5)}`)]
    const holder = this.placed.get(name)
    const isFree = await this.names.claim(ANN, name, orderId, this.now)
    expect(isFree, `${name} at ${this.now}`).toBe(!holder || holder.orderId === orderId)
    if (!isFree || holder) return
    if (this.random.chance(0.3)) this.names.release(ANN, name, orderId)
    else this.placed.set(name, { orderId, at: this.now })
  }

  async step(): Promise<void> {
    const { random } = this
    if (random.chance(0.7)) await this.order()
    else if (random.chance(0.8)) this.now += random.integer(0, 3 * MINUTE)
    else if (random.chance(0.5)) await setImmediate()
    else {
      this.names.close()
      this.start()
    }
    this.written = Math.max(this.written, this.now - random.integer(0, LAG))
  }
}

test('whatever is forgotten, refused, late or restarted, a name is free exactly until an order has it', async () => {
  let known = 0
  for (let seed = 1; seed <= 60; seed++) {
    const model = new Model(seed)
    for (let n = 0; n < 400; n++) await model.step()
    known += [...model.placed.keys()].filter((name) => !model.names.isNew(clientOrderHash(ANN, name))).length
    expect([...model.placed.keys()].filter((name) => model.names.isNew(clientOrderHash(ANN, name)))).toEqual([])
    model.names.close()
  }
  expect(known).toBeGreaterThan(1000)
})
