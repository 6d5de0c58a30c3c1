import type { Deposit } from '@augury/chain/ports'
import { depositRef } from '@augury/chain/watch'
import type { Platform } from '@augury/platform/site/platform'
import type { Hex } from 'viem'
import { hashOf } from './exchange.ts'
import type { Fenced } from './lease.ts'
import { cursorOf, setCursor } from './stores.ts'

/**
 * Credits of the exchange whose deposits the local chain of a sandbox lost, by the hashes of their references, oldest first. After a kill, Anvil
 * goes on from its last dump, and gives the numbers of lost deposits to others.
 */
export interface LostCredits {
  all(): readonly Hex[]
  /** The reference under which a deposit is credited: the one of its number, with a suffix where credits under that number were lost. */
  nameOf(ref: string): string
  /** Notes that no deposit stands for a credit. */
  add(name: string): Promise<void>
  /** Takes deposits out of the store, from a number on, and notes the credits of those that the chain lost. */
  forget(from: number, lost: readonly Deposit[]): Promise<void>
}

interface Options {
  platform: Platform
  fenced: Fenced
  vault: { chainId: number; address: Hex }
  /** Whether a deposit of this sender credited nothing: it backed a credit. */
  isBacking(sender: Hex): boolean
}

const CURSOR = 'lost'

/** Opens the lost credits that the database keeps. */
export async function openLostCredits({ platform, fenced, vault, isBacking }: Options): Promise<LostCredits> {
  const known = new Set(await cursorOf<Hex[]>(platform.em(), CURSOR))
  const nameOf = (ref: string): string => {
    for (let turn = 1; ; turn++) {
      const name = turn === 1 ? ref : `${ref}:${turn}`
      if (!known.has(hashOf(name))) return name
    }
  }
  return {
    all: () => [...known],
    nameOf,
    async add(name) {
      const hash = hashOf(name)
      await fenced((em) => setCursor(em, CURSOR, [...known, hash]))
      known.add(hash)
    },
    async forget(from, lost) {
      const hashes = lost
        .filter(({ sender }) => !isBacking(sender))
        .toSorted((a, b) => a.n - b.n)
        .map(({ n }) => hashOf(nameOf(depositRef(vault, n))))
      await fenced(async (em) => {
        await em.execute('delete from chain.deposit where n >= ?', [from])
        await setCursor(em, CURSOR, [...known, ...hashes])
      })
      for (const hash of hashes) known.add(hash)
    },
  }
}
