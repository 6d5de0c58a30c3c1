import type { Credit, Ledger } from '@augury/chain/ports'
import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { DEPOSIT_BATCH } from '@augury/wire/limits'
import type { Hex } from 'viem'
import type { LostCredits } from './lost.ts'

type Treasury = Pick<VenueClient, 'deposit' | 'depositBatch'>

interface Options {
  suspense: Hex
  isBacking(sender: Hex): boolean
  lost: Pick<LostCredits, 'nameOf' | 'add'> | null
}

/** Makes the function that credits deposits in batches, in their order. One that a batch stops at is credited alone before the next batch begins. */
export function creditor(treasury: () => Promise<Treasury>, { suspense, isBacking, lost }: Options): Ledger['credit'] {
  const nameOf = (ref: string): string => lost?.nameOf(ref) ?? ref

  /** Credits one that a batch stopped at; false if the exchange has credited its reference otherwise. */
  async function creditRefused(client: Treasury, { ref, account, amount }: Credit): Promise<boolean> {
    for (;;) {
      const name = nameOf(ref)
      if ((await creditWith(client, account, name, amount)) === 'credited') return true
      // Where the account is not taken, an earlier attempt may have credited the other one: then the reference is that one's.
      if ((await creditWith(client, suspense, name, amount)) === 'credited') return true
      if (!lost) return false
      // No deposit is stored under this number: the chain lost it before it was.
      await lost.add(name)
    }
  }

  return async (asked) => {
    const due = asked.filter(({ sender }) => !isBacking(sender))
    if (due.length === 0) return null
    const client = await treasury()
    for (let done = 0; done < due.length; ) {
      const some = due.slice(done, done + DEPOSIT_BATCH)
      const deposits = some.map(({ ref, account, amount }) => ({ address: account, amount: String(amount), ref: nameOf(ref) }))
      const { deposited, refused } = await client.depositBatch({ body: { deposits } })
      done += deposited
      if (!refused) continue
      const next = some[deposited]!
      if (!(await creditRefused(client, next))) return next.ref
      done++
    }
    return null
  }
}

export type Movement = [address: string, ref: string, amount: number]

/** Credits an account, or says why the exchange does not. */
export async function creditWith(
  client: Treasury,
  ...[address, ref, amount]: Movement
): Promise<'credited' | 'duplicate_ref' | 'wallet_taken'> {
  try {
    await client.deposit({ body: { address, amount: String(amount), ref } })
    return 'credited'
  } catch (error) {
    const code = error instanceof RefusedError ? error.code : undefined
    if (code === 'duplicate_ref' || code === 'wallet_taken') return code
    throw error
  }
}
