import type { Hex } from '@augury/engine/command'
import type { Output } from '@augury/wire/operation'
import type { accountOperations } from '@augury/wire/operations/account'
import { ServiceError } from '@augury/wire/service-error'
import { scopeCovers, type Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { Cursors } from '../cursors.ts'
import { accountMessages } from '../streams/account-messages.ts'
import { logPage } from './log-page.ts'

interface EventsQuery {
  after: number
  account?: Hex | undefined
  market?: string | undefined
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
  const { account = trader.account } = query
  if (account !== trader.account && !scopeCovers(trader.scope, 'venue')) throw new ServiceError('insufficient_scope')
  const cursors = new Cursors('events', { account, market: query.market })
  const { found, end } = await logPage(ctx, cursors, query, (after, limit) => ctx.venue.readModel.accountChanges(account, after, limit))
  const wanted = query.market?.split(',')
  const data = found
    .flatMap((change) => accountMessages(change, ctx).map((message) => ({ ...message, seq: change.seq, epoch: change.epoch })))
    .filter((event) => !wanted || wanted.includes(event.market))
  return { data, ...end }
}
