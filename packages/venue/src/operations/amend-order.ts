import type { OrderState } from '@augury/engine/event'
import { formatLots } from '@augury/units/decimal'
import type { Order } from '@augury/wire/order'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { lotsOf, orderIdOf } from '../order-intent.ts'
import { limitsOf, refusalOf } from '../refused.ts'
import { orderView } from '../views/order-view.ts'
import { submitOwn } from './submit-own.ts'

/** Which order, by its id or by its owner's name, and its new whole size. */
interface Amendment {
  orderId?: string | undefined
  clientOrderId?: string | undefined
  size: string
}

/**
 * Makes an open order of the trader smaller: less than a signature allows needs no new one, and the place in the queue stays. An order
 * that has the size already is answered as it is, so that the same request twice is one change.
 */
export async function amendOrder(ctx: Context, trader: Trader, { body }: { body: Amendment }): Promise<Order> {
  const lots = lotsOf(body.size)
  const { orderId, result } = await ctx.lanes.run(
    trader.account,
    () => named(ctx, trader, body),
    async (orderId) => ({
      orderId,
      result: await submitOwn(ctx, trader.account, { type: 'reduce', account: trader.account, orderId, lots }),
    }),
  )
  const order = ctx.exchange.order(orderId)
  const [answer] = result.events
  if (answer?.type === 'reduced') return orderView(order!, ctx.markets, { updatedAt: result.at })
  if (answer?.type !== 'refused') throw new Error(`no answer to the change of ${orderId}`)
  if (answer.code === 'not_smaller' && order?.lots === lots) return orderView(order, ctx.markets)
  if (answer.code === 'order_ended') throw ended(answer.state)
  if (answer.code !== 'order_not_found') {
    const limits = limitsOf(answer.code, order && ctx.exchange.condition(order.condition))
    throw refusalOf(answer, { values: { id: orderId, size: formatLots(lots), ...limits } })
  }
  const known = await ctx.lookUps.order(orderId)
  if (!known) throw new ServiceError('order_not_found')
  throw known.account === trader.account ? ended(known.state) : new ServiceError('order_not_owned')
}

const ended = (state: OrderState | null) => new ServiceError('order_ended', { extras: { state } })

async function named(ctx: Context, { account }: Trader, { orderId, clientOrderId }: Amendment) {
  if (orderId !== undefined) return orderIdOf(orderId)
  return (await ctx.orderNames.find(account, clientOrderId!)) ?? orderIdOf(clientOrderId!)
}
