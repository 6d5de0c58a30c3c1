import { referenceHash } from '@augury/signing/order-id'
import type { Input, Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import { ServiceError } from '@augury/wire/service-error'
import type { TransferRecord } from '../../record/history/read-orders.ts'
import type { Result } from '../../record/log/applied-row.ts'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { amountOf, ofAccount, requireOnChain, requireProven } from './manage-venue.ts'
import { refusalOf } from './refused.ts'

type Operation = typeof operatorOperations.depositBatch
type Answer = Output<Operation>
type Code = NonNullable<Answer['refused']>['code']

/** A deposit that is asked for: the account instead of its wallet, and its reference as the log keeps it. */
interface Deposit {
  body: Input<Operation>['body']['deposits'][number]
  account: TransferRecord['account']
  amount: number
  hash: TransferRecord['ref']
}

/**
 * Credits deposits in their order: their commands stand in the queue one behind the other, so however it is cut short, those that are credited are
 * the first ones. Stops before the first that is refused.
 */
export async function depositBatch(ctx: Context, _: Trader, { body }: Pick<Input<Operation>, 'body'>): Promise<Answer> {
  const asked = body.deposits.map((each): Deposit => {
    const { address, amount, ref } = ofAccount(ctx, { body: each as Parameters<typeof ofAccount>[1]['body'] })
    return { body: each, account: address, amount: amountOf(amount), hash: referenceHash(ref) }
  })
  const known = await Promise.all(asked.map(({ hash }) => ctx.lookUps.transfer(hash)))
  const codes = asked.map((deposit, n) => codeBefore(ctx, deposit, known[n] ?? null))
  const stop = codes.findIndex((code) => code !== null)
  const wanted = stop === -1 ? asked : asked.slice(0, stop)
  // No await between these: nothing comes between them in the queue, and none overtakes another.
  const submitted = wanted.map(({ account, amount, hash }, n) =>
    known[n] ? null : ctx.venue.submit({ type: 'deposit', account, amount, ref: hash }),
  )
  const results = await Promise.all(submitted)
  for (const [n, result] of results.entries()) {
    const code = result && (await codeAfter(ctx, wanted[n]!, result))
    if (code) return { deposited: n, refused: { code, ref: wanted[n]!.body.ref } }
  }
  const code = codes[stop] ?? null
  return { deposited: wanted.length, refused: code && { code, ref: asked[stop]!.body.ref } }
}

/** Why a deposit is refused before it is written down; null if it is not. `known` is the transfer that has its reference. */
function codeBefore(ctx: Context, { body, account, amount }: Deposit, known: TransferRecord | null): Code | null {
  if (known) return known.kind === 'deposit' && known.account === account && known.amount === amount ? null : 'duplicate_ref'
  try {
    requireOnChain(ctx, body.ref)
    requireProven(ctx, { body: body as Parameters<typeof requireProven>[1]['body'] })
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.code as Code
    throw error
  }
}

/** Why the engine refused a deposit; null if it is credited, now or a moment before under the same reference. */
async function codeAfter(ctx: Context, deposit: Deposit, { events, seq }: Result): Promise<Code | null> {
  const answer = events[0]
  if (answer?.type !== 'refused') return null
  if (answer.code !== 'duplicate_ref') return refusalOf(answer).code as Code
  await ctx.venue.readModel.waitFor(seq) // the first one may be too recent for history
  const known = await ctx.lookUps.transfer(deposit.hash)
  return known ? codeBefore(ctx, deposit, known) : 'duplicate_ref'
}
