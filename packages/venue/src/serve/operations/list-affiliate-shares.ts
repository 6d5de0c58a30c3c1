import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import { getAddress } from 'viem'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'
import { logPage } from './log-page.ts'

type Operation = typeof operatorOperations.listAffiliateShares

/**
 * What taker orders in the operator's markets paid to referrers after a log position. `seq` is the position up to which the answer is
 * complete.
 */
export async function listAffiliateShares(
  ctx: Context,
  operator: Trader,
  { query }: Pick<Input<Operation>, 'query'>,
): Promise<Output<Operation>> {
  const cursors = new Cursors('affiliate-shares', { operator: operator.account })
  const { found, end } = await logPage(ctx, cursors, query, ctx.venue.readModel.affiliateShares)
  const data = found
    .filter((share) => ctx.markets.market(share.condition)?.creator === operator.account)
    .map(({ at, condition, taker, referrer, volume, fee, amount, seq }) => ({
      seq,
      timestamp_iso: new Date(at).toISOString(),
      market: condition,
      taker_address: getAddress(taker),
      referrer: getAddress(referrer),
      volume: String(volume),
      fee: String(fee),
      amount: String(amount),
    }))
  return { data, ...end }
}
