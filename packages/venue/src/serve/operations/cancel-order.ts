import type { Hex } from '@augury/engine/command'
import type { OrderState, OrderView, Refused } from '@augury/engine/event'
import { formatLots } from '@augury/units/decimal'
import type { CancelManyResult, CancelResult } from '@augury/wire/cancel-result'
import { type RefusalCode, refusalText } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { inTurns } from '../../base/in-turns.ts'
import { chain } from '../../base/maybe-promise.ts'
import type { Trader } from '../access/identity.ts'
import { callerFailure } from './caller-failure.ts'
import type { Context } from './context.ts'
import { withoutDatabase } from './database-away.ts'
import { distinctIds, findOrderId, findOrderIds } from './order-reference.ts'
import { partRefusal, refusalOf } from './refused.ts'

/** Cancels one open order of the trader. Throws `order_not_found`, `order_not_owned` or, with its state, `order_ended`. */
export function cancelOrder(ctx: Context, trader: Trader, { body }: { body: { orderId: string } }): Promise<CancelResult> {
  const id = body.orderId
  const find = () => findOrderId(ctx, trader.account, id)
  const ended = ctx.lanes.run(trader.account, find, (orderId) => cancel(ctx, trader.account, id, orderId))
  return ended.then((order) => answerOf(id, order)).catch((error: unknown) => throwAbout(id, error))
}

/** Throws a failure of the cancel of one order, which it names where the order was certainly not cancelled. */
function throwAbout(id: string, error: unknown): never {
  const failure = withoutDatabase(error)
  throw failure instanceof ServiceError ? callerFailure('cancelOrder', failure, id) : failure
}

/** Returns the result under the id as it was sent: some clients look it up by that. */
function answerOf(id: string, ended: OrderView | ServiceError): CancelResult {
  if (ended instanceof ServiceError) throw ended
  return {
    success: true,
    canceled: [id],
    not_canceled: {},
    order: {
      orderId: ended.orderId,
      state: ended.state,
      size_matched: formatLots(ended.matched),
      remaining_size: formatLots(ended.lots - ended.matched),
    },
  }
}

/** The same with the id in the path. */
export const cancelOrderById = (ctx: Context, trader: Trader, { params }: { params: { id: string } }): Promise<CancelResult> =>
  cancelOrder(ctx, trader, { body: { orderId: params.id } })

/** Orders whose refusals are made out in one turn of the event loop. */
const REFUSED_AT_ONCE = 50

/**
 * Cancels up to 1000 orders; those that could not be cancelled are listed with the reason. Only cancels of open orders are journaled. An
 * unknown order may be one that the account has just sent, so the results of its earlier orders are awaited first. What became of orders
 * that are not open is looked up as a list of history is: in turns, and two at a time for an account.
 */
export async function cancelOrders(ctx: Context, { account }: Trader, { body }: { body: string[] }): Promise<CancelManyResult> {
  const ids = distinctIds(body)
  const refused = (orderId: Hex) => ctx.exchange.refusalOfCancel(account, orderId)
  const isUnknown = (refusal: Refused | null) => refusal?.code === 'order_not_found'
  const { orderIds, answers } = await ctx.lanes.run(
    account,
    (ahead) =>
      chain(findOrderIds(ctx, account, ids), (orderIds) =>
        chain(orderIds.some((id) => isUnknown(refused(id))) ? ctx.underWay.settledBehind(ahead, account) : true, (isSettled) => ({
          orderIds,
          isSettled,
        })),
      ),
    async ({ orderIds, isSettled }) => ({
      orderIds,
      answers: await Promise.all(
        orderIds.map((orderId, n) => {
          const refusal = refused(orderId)
          if (refusal && (isSettled || !isUnknown(refusal))) return refusal
          return cancel(ctx, account, ids[n]!, orderId, 'cancel_in_batch').catch(partRefusal)
        }),
      ),
    }),
  )
  const tell = async () => {
    const told = await inTurns(answers.entries(), REFUSED_AT_ONCE, ([nth, answer]) =>
      isTold(answer) ? answer : refusedCancel(ctx, account, ids[nth]!, orderIds[nth]!, answer).catch(partRefusal),
    )
    return Promise.all(told)
  }
  const results = answers.every(isTold) ? answers : await ctx.reads.run(account, tell)
  // Where nothing was cancelled, what could not be answered may be asked for again as a whole.
  const unanswered = results.find((result) => result instanceof ServiceError && result.status === 503)
  if (unanswered && results.every((result) => result instanceof ServiceError)) throw unanswered
  const reasons = results.map((result, index) => (result instanceof ServiceError ? [[ids[index]!, result.message] as const] : []))
  return {
    canceled: results.flatMap((result, index) => (result instanceof ServiceError ? [] : [ids[index]!])),
    not_canceled: Object.fromEntries(reasons.flat()), // an id is any text, `__proto__` too
  }
}

/** Whether an answer to a cancel is whole; the engine's own refusal names a code alone. */
const isTold = (answer: OrderView | ServiceError | Refused): answer is OrderView | ServiceError =>
  !('type' in answer && answer.type === 'refused')

/**
 * The order as it ended, or why it was not cancelled. An unknown id is submitted too: cancels are counted against their budget from the
 * journal after a restart.
 */
function cancel(
  ctx: Context,
  account: Hex,
  id: string,
  orderId: Hex,
  type: 'cancel' | 'cancel_in_batch' = 'cancel',
): Promise<OrderView | ServiceError> {
  // An account that has nothing has no open order, and costs nothing: no command is journaled for it.
  const refused = ctx.exchange.hasNothing(account) ? ctx.exchange.refusalOfCancel(account, orderId) : null
  if (refused) return refusedCancel(ctx, account, id, orderId, refused)
  return ctx.venue.submit({ type, account, orderId }).then<OrderView | ServiceError>(({ events }) => {
    for (const event of events) if (event.type === 'ended' && event.order.orderId === orderId) return event.order
    const answer = events[0]
    if (answer?.type !== 'refused') throw new Error(`no answer to the cancel of ${orderId}`)
    return refusedCancel(ctx, account, id, orderId, answer)
  })
}

/** Why an order, which its owner called `id`, was not cancelled. */
export async function refusedCancel(ctx: Context, account: Hex, id: string, orderId: Hex, refused: Refused): Promise<ServiceError> {
  if (refused.code === 'order_not_found') return forgotten(ctx, account, id, orderId)
  if (refused.code === 'order_ended') return notCanceled(refused.code, id, refused.state)
  return refused.code === 'order_not_owned' ? notCanceled(refused.code, id) : refusalOf(refused)
}

/** Why an order that the engine does not remember was not cancelled, from history. */
async function forgotten(ctx: Context, account: Hex, id: string, orderId: Hex): Promise<ServiceError> {
  const order = await ctx.lookUps.order(orderId)
  if (!order) return notCanceled('order_not_found', id)
  return order.account === account ? notCanceled('order_ended', id, order.state) : notCanceled('order_not_owned', id)
}

/** The refusal of the cancel of one order. */
export function notCanceled(code: RefusalCode, id: string, state: OrderState | null = null): ServiceError {
  return new ServiceError(code, {
    extras: { canceled: [], not_canceled: { [id]: refusalText(code) }, ...(state === null ? {} : { state }) },
  })
}
