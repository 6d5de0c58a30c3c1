import type { Hex } from '@augury/engine/command'
import type { Output } from '@augury/wire/operation'
import type { accountOperations } from '@augury/wire/operations/account'
import { ServiceError } from '@augury/wire/service-error'
import type { AccountEvent } from '@augury/wire/user-stream'
import { inTurns } from '../../base/in-turns.ts'
import type { AccountChange } from '../../record/history/account-changes.ts'
import { scopeCovers, type Trader } from '../access/identity.ts'
import { eachAccountMessage } from '../views/account-messages.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'
import { logPage } from './log-page.ts'

/** Events that are made in one turn of the event loop. */
const EVENTS_AT_ONCE = 50

interface EventsQuery {
  after: number
  account?: Hex | undefined
  market?: readonly string[] | undefined
  limit: number
  next_cursor?: string | undefined
}

/**
 * Events of an account after a log position, oldest first, as its stream sends them. `seq` is the position up to which the answer is
 * complete. Keys of scope venue may ask for any account.
 */
export async function listEvents(
  ctx: Context,
  trader: Trader,
  { query }: { query: EventsQuery },
): Promise<Output<typeof accountOperations.listEvents>> {
  const { market } = query
  const account = query.account === undefined ? trader.account : ctx.wallets.accountOf(query.account)
  if (account !== trader.account && !scopeCovers(trader.scope, 'venue')) throw new ServiceError('insufficient_scope')
  const cursors = new Cursors('events', { account, market: market?.join() })
  const { found, end } = await logPage(ctx, cursors, query, (after, limit) => ctx.venue.readModel.accountChanges(account, after, limit))
  const data = await inTurns(eventsOf(found, ctx), EVENTS_AT_ONCE, (event) => (!market || market.includes(event.market) ? event : null))
  return { data, ...end }
}

function* eventsOf(changes: readonly (AccountChange & { epoch: number })[], ctx: Context): Generator<AccountEvent> {
  for (const change of changes) {
    for (const message of eachAccountMessage(change, ctx)) yield { ...message, seq: change.seq, epoch: change.epoch }
  }
}
