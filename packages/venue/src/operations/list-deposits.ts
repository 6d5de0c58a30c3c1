import { LAST_CURSOR } from '@augury/wire/limits'
import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import { getAddress } from 'viem'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { Cursors } from '../cursors.ts'

type Operation = typeof operatorOperations.listDeposits

/** What was credited to accounts after a position. `seq` is the position up to which the answer is whole. */
export async function listDeposits(ctx: Context, _: Trader, { query }: Pick<Input<Operation>, 'query'>): Promise<Output<Operation>> {
  const now = ctx.exchange.seq
  const cursors = new Cursors('deposits', {})
  const after = cursors.position(query.next_cursor, now) || query.after
  await ctx.venue.readModel.waitFor(now)
  const found = after >= now ? [] : await ctx.venue.readModel.deposits(after, query.limit)
  const isWhole = found.length < query.limit
  const seq = isWhole ? Math.max(after, now) : found.at(-1)!.seq
  const data = found
    .filter((deposit) => deposit.seq <= seq) // what came meanwhile is for the next call
    .map(({ seq: position, at, account, amount }) => ({
      ...{ seq: position, timestamp_iso: new Date(at).toISOString(), address: getAddress(account), amount: String(amount) },
    }))
  return { data, seq, next_cursor: isWhole ? LAST_CURSOR : cursors.at(String(seq)) }
}
