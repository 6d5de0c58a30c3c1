import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import { getAddress } from 'viem'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { Cursors } from '../cursors.ts'
import { logPage } from './log-page.ts'

type Operation = typeof operatorOperations.listDeposits

/** Deposits after a log position. `seq` is the position up to which the answer is complete. */
export async function listDeposits(ctx: Context, _: Trader, { query }: Pick<Input<Operation>, 'query'>): Promise<Output<Operation>> {
  const { found, end } = await logPage(ctx, new Cursors('deposits', {}), query, ctx.venue.readModel.deposits)
  const data = found.map(({ seq, at, account, amount }) => ({
    seq,
    timestamp_iso: new Date(at).toISOString(),
    address: getAddress(account),
    amount: String(amount),
  }))
  return { data, ...end }
}
