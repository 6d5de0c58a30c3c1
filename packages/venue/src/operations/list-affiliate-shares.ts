import { LAST_CURSOR } from '@augury/wire/limits'
import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import { getAddress } from 'viem'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { Cursors } from '../cursors.ts'

type Operation = typeof operatorOperations.listAffiliateShares

/** What taker orders in the operator's markets paid to referrers after a position. `seq` is the position up to which the answer is whole. */
export async function listAffiliateShares(
  ctx: Context,
  operator: Trader,
  { query }: Pick<Input<Operation>, 'query'>,
): Promise<Output<Operation>> {
  const now = ctx.exchange.seq
  const cursors = new Cursors('affiliate-shares', { operator: operator.account })
  const after = cursors.position(query.next_cursor, now) || query.after
  await ctx.venue.readModel.waitFor(now)
  const paid = after >= now ? [] : await ctx.venue.readModel.affiliateShares(after, query.limit)
  const isWhole = paid.length < query.limit
  const seq = isWhole ? Math.max(after, now) : paid.at(-1)!.seq
  const data = paid
    .filter((share) => share.seq <= seq && ctx.markets.market(share.condition)?.creator === operator.account)
    .map(({ at, condition, taker, referrer, volume, fee, amount, seq: position }) => ({
      seq: position,
      timestamp_iso: new Date(at).toISOString(),
      market: condition,
      taker_address: getAddress(taker),
      referrer: getAddress(referrer),
      volume: String(volume),
      fee: String(fee),
      amount: String(amount),
    }))
  return { data, seq, next_cursor: isWhole ? LAST_CURSOR : cursors.at(String(seq)) }
}
