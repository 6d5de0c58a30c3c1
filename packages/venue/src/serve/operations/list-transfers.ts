import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import { getAddress } from 'viem'
import type { DepositRecord } from '../../record/history/read-orders.ts'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'
import { logPage } from './log-page.ts'

type Operations = typeof operatorOperations
type Asked<Name extends 'listDeposits' | 'listWithdrawals'> = Pick<Input<Operations[Name]>, 'query'>

/** Deposits after a log position. `seq` is the position up to which the answer is complete. */
export async function listDeposits(ctx: Context, _: Trader, { query }: Asked<'listDeposits'>): Promise<Output<Operations['listDeposits']>> {
  const { found, end } = await logPage(ctx, new Cursors('deposits', {}), query, ctx.venue.readModel.deposits)
  return { data: found.map(view), ...end }
}

/** Steps of withdrawals after a log position: set aside, settled, returned. `seq` is the position up to which the answer is complete. */
export async function listWithdrawals(
  ctx: Context,
  _: Trader,
  { query }: Asked<'listWithdrawals'>,
): Promise<Output<Operations['listWithdrawals']>> {
  const { found, end } = await logPage(ctx, new Cursors('withdrawals', {}), query, ctx.venue.readModel.withdrawals)
  return { data: found.map((step) => ({ ...view(step), status: step.status })), ...end }
}

const view = ({ seq, at, ref, account, amount }: DepositRecord) => ({
  seq,
  timestamp_iso: new Date(at).toISOString(),
  ref,
  address: getAddress(account),
  amount: String(amount),
})
