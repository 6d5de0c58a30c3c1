import type { Hex } from '@augury/engine/command'
import { LAST_CURSOR } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { AccountEvent } from '@augury/wire/user-stream'
import { scopeCovers, type Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { Cursors } from '../cursors.ts'
import { accountMessages } from '../streams/account-messages.ts'

interface EventsQuery {
  after: number
  account?: Hex | undefined
  market?: string | undefined
  limit: number
  next_cursor?: string | undefined
}

/**
 * What happened to an account after a position, oldest first, in the words of its stream. `seq` is the position up to which the answer
 * is whole. Keys of scope venue may ask for any account.
 */
export async function listEvents(
  ctx: Context,
  trader: Trader,
  { query }: { query: EventsQuery },
): Promise<{ data: AccountEvent[]; seq: number; next_cursor: string }> {
  const { account = trader.account, limit } = query
  if (account !== trader.account && !scopeCovers(trader.scope, 'venue')) throw new ServiceError('insufficient_scope')
  const now = ctx.exchange.seq
  const cursors = new Cursors('events', { account, market: query.market })
  const after = cursors.position(query.next_cursor, now) || query.after
  await ctx.venue.readModel.waitFor(now)
  const changes = after >= now ? [] : await ctx.venue.readModel.accountChanges(account, after, limit)
  const isWhole = changes.length < limit
  const seq = isWhole ? Math.max(after, now) : changes.at(-1)!.seq
  const wanted = query.market?.split(',')
  const data = changes
    .filter((change) => !isWhole || change.seq <= now) // what came meanwhile is for the next call
    .flatMap((change) => accountMessages(change, ctx).map((message) => ({ ...message, seq: change.seq, epoch: ctx.venue.timeline })))
    .filter((event) => !wanted || wanted.includes(event.market))
  return { data, seq, next_cursor: isWhole ? LAST_CURSOR : cursors.at(String(seq)) }
}
