import type { Hex } from '@augury/engine/command'
import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'

type Operation = typeof operatorOperations.getFees

/** Positions of the log that one answer covers: the sum of a busy day takes several. */
const SPAN = 250_000

/** Returns what an account received in fees after a log position, and its free USDC. A wallet stands for its owner's account. */
export async function getFees(ctx: Context, _: Trader, { query }: Pick<Input<Operation>, 'query'>): Promise<Output<Operation>> {
  const { venue, exchange, wallets } = ctx
  const now = exchange.seq
  await venue.readModel.waitFor(now)
  const account = wallets.accountOf(query.address as Hex)
  const after = Math.min(query.after, now)
  const seq = Math.min(after + SPAN, now)
  const amount = await venue.readModel.feesOf(account, after, seq)
  return { amount: String(amount), available: String(exchange.balance(account).free), seq, is_complete: seq === now }
}
