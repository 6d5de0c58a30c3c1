import { cancellersIn, decodeCommands } from '@augury/engine/codec'
import type { Budgets } from './access/budgets.ts'
import type { Keys } from './access/keys.ts'
import type { Markets } from './markets.ts'
import type { Venue } from './venue.ts'

/** What the rows of another process change beside the engine's state. */
export interface StandbyState {
  keys: Keys
  markets: Markets
  budgets: Budgets
}

/**
 * While another process writes, keeps this state true to the rows, so that this one can take over between two of them. Rows wait until
 * the state is there. Returns what ends it.
 */
export function followPrimary(venue: Venue, ready: Promise<StandbyState>): () => void {
  // Notices may still be on their way: nothing is admitted under a key that was revoked before.
  venue.onTakeOver(async () => {
    const { keys, markets } = await ready
    await Promise.all([keys.reload(), markets.reload()])
  })
  return venue.onFollow(async ({ at, commands }) => {
    const { markets, budgets } = await ready
    const decoded = decodeCommands(commands)
    for (const command of decoded) {
      // Its texts were stored before the row: nobody sees a condition without them.
      if (command.type === 'register' && !markets.market(command.condition)) await markets.reload(command.condition)
    }
    for (const command of decoded) if (command.type === 'cancel') budgets.recall('cancel', command.account, at)
  })
}

/** Cancels of the last minute count, whichever process admitted them. */
export async function recallCancels(venue: Venue, budgets: Budgets): Promise<void> {
  const { seq: last } = venue.exchange
  for await (const { firstSeq, at, commands } of venue.rowsSince(venue.now() - 60_000)) {
    if (firstSeq > last) return // follows, and is counted then
    for (const account of cancellersIn(commands)) budgets.recall('cancel', account, at)
  }
}
