import { isDatabaseAway } from '@augury/domain/database-away'
import type { OrderState } from '@augury/engine/event'
import { formatLots } from '@augury/units/decimal'
import type { Order } from '@augury/wire/order'
import { ServiceError } from '@augury/wire/service-error'
import { OutcomeUnknown } from '../../record/log/outcome-unknown.ts'
import type { Trader } from '../access/identity.ts'
import { orderView } from '../views/order-view.ts'
import type { Context } from './context.ts'
import { present, tradesSoFar } from './list-orders.ts'
import { lotsOf } from './order-intent.ts'
import { findOrderId } from './order-reference.ts'
import { limitsOf, refusalOf } from './refused.ts'
import { submitOwn } from './submit-own.ts'

/** An order, by its id or client order id, and its new total size. */
interface Amendment {
  orderId?: string | undefined
  clientOrderId?: string | undefined
  size: string
}

/**
 * Makes an open order of the trader smaller. A signature for more covers it, and the order keeps its place in the queue. An order that has
 * the size already is returned as it is, so that repeating the request changes nothing.
 */
export async function amendOrder(ctx: Context, trader: Trader, { body }: { body: Amendment }): Promise<Order> {
  const lots = lotsOf(body.size)
  const { orderId, result } = await ctx.lanes.run(
    trader.account,
    () => findOrderId(ctx, trader.account, (body.orderId ?? body.clientOrderId)!),
    async (orderId) => ({
      orderId,
      result: await submitOwn(ctx, trader.account, { type: 'reduce', account: trader.account, orderId, lots }),
    }),
  )
  const order = ctx.exchange.order(orderId)
  const [answer] = result.events
  if (answer?.type === 'reduced') {
    const trades = await tradesSoFar(ctx, order!).catch(done)
    return orderView(order!, ctx.markets, { updatedAt: result.at, trades })
  }
  if (answer?.type !== 'refused') throw new Error(`no answer to the change of ${orderId}`)
  if (answer.code === 'not_smaller' && order?.lots === lots) return (await present(ctx, [order]).catch(done))[0]!
  if (answer.code === 'order_ended') throw ended(answer.state)
  if (answer.code !== 'order_not_found') {
    const condition = order && ctx.exchange.condition(order.condition)
    const least = condition && { ...condition, minLots: Math.max(condition.minLots, order.matched + 1) } // what was filled stays
    const limits = limitsOf(answer.code, least)
    throw refusalOf(answer, { values: { id: orderId, size: formatLots(lots), ...limits } })
  }
  const known = await ctx.lookUps.order(orderId)
  if (!known) throw new ServiceError('order_not_found')
  throw known.account === trader.account ? ended(known.state) : new ServiceError('order_not_owned')
}

/** The change is done, so a loss of the database must not tell the owner that it was refused. */
function done(error: unknown): never {
  throw isDatabaseAway(error) ? new OutcomeUnknown('what was traded is in history', { cause: error }) : error
}

const ended = (state: OrderState | null) => new ServiceError('order_ended', { extras: { state } })
