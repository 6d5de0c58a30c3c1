import type { OrderState, OrderView } from '@augury/engine/event'
import { formatLots } from '@augury/units/decimal'
import type { CancelManyResult, CancelResult } from '@augury/wire/cancel-result'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { orderIdOf } from '../order-intent.ts'
import { refusalOf } from '../refused.ts'

/** Cancels one open order of the trader. Throws `order_not_found`, `order_not_owned` or, with its state, `order_ended`. */
export function cancelOrder(ctx: Context, trader: Trader, { body }: { body: { orderId: string } }): Promise<CancelResult> {
  const id = body.orderId
  return ctx.lanes.run(trader.account, nothing, () => cancel(ctx, trader, id)).then(answerOf)
}

const nothing = () => {}

function answerOf(ended: OrderView | ServiceError): CancelResult {
  if (ended instanceof ServiceError) throw ended
  return {
    success: true,
    canceled: [ended.orderId],
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

/** Cancels up to 1000 orders; those that could not be cancelled are listed with the reason. */
export async function cancelOrders(ctx: Context, trader: Trader, { body }: { body: string[] }): Promise<CancelManyResult> {
  const ids = [...new Set(body)]
  const results = await ctx.lanes.run(trader.account, nothing, () =>
    Promise.all(ids.map((id) => cancel(ctx, trader, id, 'cancel_in_batch'))),
  )
  const canceled: string[] = []
  const not_canceled: Record<string, string> = {}
  results.forEach((result, index) => {
    if (result instanceof ServiceError) not_canceled[ids[index]!] = result.message
    else canceled.push(result.orderId)
  })
  return { canceled, not_canceled }
}

/**
 * The order as it ended, or why it was not cancelled. An unknown id is submitted too: cancels are counted against their budget from the
 * journal after a restart.
 */
function cancel(
  ctx: Context,
  trader: Trader,
  id: string,
  type: 'cancel' | 'cancel_in_batch' = 'cancel',
): Promise<OrderView | ServiceError> {
  const orderId = orderIdOf(id)
  if (ctx.exchange.hasNothing(trader.account)) return notOpen(ctx, trader, id)
  return ctx.venue.submit({ type, account: trader.account, orderId }).then(({ events }) => {
    for (const event of events) if (event.type === 'ended' && event.order.orderId === orderId) return event.order
    const answer = events[0]
    if (answer?.type !== 'refused') throw new Error(`no answer to the cancel of ${orderId}`)
    if (answer.code === 'order_not_found') return forgotten(ctx, trader, id)
    if (answer.code === 'order_ended') return notCanceled(answer.code, id, answer.state)
    return answer.code === 'order_not_owned' ? notCanceled(answer.code, id) : refusalOf(answer)
  })
}

/**
 * Why an order was not cancelled for an account that has nothing, and so no open order. It costs no command: accounts cost nothing either.
 */
async function notOpen(ctx: Context, trader: Trader, id: string): Promise<ServiceError> {
  const order = ctx.exchange.order(orderIdOf(id))
  if (!order) return forgotten(ctx, trader, id)
  return order.account === trader.account ? notCanceled('order_ended', id, order.state) : notCanceled('order_not_owned', id)
}

/** Why an order that the engine does not remember was not cancelled, from history. */
async function forgotten(ctx: Context, trader: Trader, id: string): Promise<ServiceError> {
  const order = await ctx.lookUps.order(orderIdOf(id))
  if (!order) return notCanceled('order_not_found', id)
  return order.account === trader.account ? notCanceled('order_ended', id, order.state) : notCanceled('order_not_owned', id)
}

function notCanceled(code: RefusalCode, id: string, state: OrderState | null = null): ServiceError {
  const { message } = new ServiceError(code)
  return new ServiceError(code, { extras: { canceled: [], not_canceled: { [id]: message }, ...(state === null ? {} : { state }) } })
}
