import { cancellersIn, decodeCommands } from '@augury/engine/codec'
import type { Venue } from '../record/venue.ts'
import type { Budgets } from './access/budgets.ts'
import type { Keys } from './access/keys.ts'
import type { Markets } from './reference/markets.ts'

/** State outside the engine that another writer's rows change. */
export interface StandbyState {
  keys: Keys
  markets: Markets
  budgets: Budgets
}

/**
 * While another process writes, keeps this state in step with the rows, so that this process can take over between any two of them. Rows
 * wait until `ready`. Returns the function that ends it.
 */
export function followPrimary(venue: Venue, ready: Promise<StandbyState>): () => void {
  // Notifications may still be under way: no request may be admitted under a key that was already revoked.
  venue.onTakeOver(async () => {
    const { keys, markets } = await ready
    await Promise.all([keys.reload(), markets.reload()])
  })
  return venue.onFollow(async ({ at, commands }) => {
    const { markets, budgets } = await ready
    const decoded = decodeCommands(commands)
    for (const command of decoded) {
      // Its texts were stored before the row, so no condition is ever visible without them.
      if (command.type === 'register' && !markets.market(command.condition)) await markets.reload(command.condition)
    }
    for (const command of decoded) if (command.type === 'cancel') budgets.recall('cancel', command.account, at)
  })
}

/** Counts the cancels of the last minute against the budgets, whichever process admitted them. */
export async function recallCancels(venue: Venue, budgets: Budgets): Promise<void> {
  const { seq: last } = venue.exchange
  for await (const { firstSeq, at, commands } of venue.rowsSince(venue.now() - 60_000)) {
    if (firstSeq > last) return // comes through `followPrimary`, which counts it
    for (const account of cancellersIn(commands)) budgets.recall('cancel', account, at)
  }
}
