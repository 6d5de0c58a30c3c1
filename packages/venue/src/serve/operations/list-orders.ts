import type { Hex } from '@augury/engine/command'
import type { OrderView } from '@augury/engine/event'
import { LAST_CURSOR, PAGE_MAX } from '@augury/wire/limits'
import type { Order, OrderLookup } from '@augury/wire/order'
import { refusalText } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import type { ReadModel } from '../../record/history/read-model.ts'
import type { OrderRecord } from '../../record/history/read-orders.ts'
import type { Trader } from '../access/identity.ts'
import { orderView } from '../views/order-view.ts'
import { caughtUp } from './caught-up.ts'
import type { Context } from './context.ts'
import { Cursors } from './cursors.ts'
import { distinctIds, findOrderId, findOrderIds } from './order-reference.ts'

interface OrdersQuery {
  id?: string | undefined
  client_order_id?: string | undefined
  market?: string | undefined
  asset_id?: string | undefined
  maker?: Hex | undefined
  next_cursor?: string | undefined
}

/** Open orders of the trader, oldest first. The cursor is the log position of the last one, so a page never repeats an order. */
export async function listOrders(ctx: Context, trader: Trader, { query }: { query: OrdersQuery }) {
  const cursors = new Cursors('orders', { ...query, account: trader.account })
  const after = cursors.position(query.next_cursor)
  const token = query.asset_id === undefined ? null : ctx.markets.token(query.asset_id)
  const [id, named] = await Promise.all([query.id, query.client_order_id].map((text) => text && findOrderId(ctx, trader.account, text)))
  const passes = (order: OrderView) =>
    order.state !== 'expired' && // no sweep has ended it yet
    (id === undefined || order.orderId === id) &&
    (named === undefined || order.orderId === named) &&
    (query.market === undefined || order.condition === query.market) &&
    (query.asset_id === undefined || (token !== null && order.condition === token.condition && order.outcome === token.outcome)) &&
    (query.maker === undefined || order.account === ctx.wallets.accountOf(query.maker))
  const found: OrderView[] = []
  for (const order of ctx.exchange.openOrders(trader.account, after)) {
    if (passes(order)) found.push(order)
    if (found.length > PAGE_MAX) break
  }
  // Every placement has a position of its own, so a page can end after any order.
  const page = found.slice(0, PAGE_MAX)
  const last = page.at(-1)
  const next_cursor = last && found.length > page.length ? cursors.at(String(last.seq)) : LAST_CURSOR
  return { limit: PAGE_MAX, count: page.length, next_cursor, data: await present(ctx, page) }
}

/** One order of the trader, open or ended. Throws `order_not_found` or `order_not_owned`. */
export async function getOrder(ctx: Context, trader: Trader, { params }: { params: { id: string } }): Promise<Order> {
  const [found] = await find(ctx, trader.account, [params.id])
  if (!found) throw new ServiceError('order_not_found')
  if (found.account !== trader.account) throw new ServiceError('order_not_owned')
  const [order] = await present(ctx, [found])
  return order!
}

/** Up to 500 orders by id, each once and with its own status. */
export async function lookUpOrders(ctx: Context, trader: Trader, { body }: { body: string[] }): Promise<OrderLookup[]> {
  const ids = distinctIds(body)
  const found = await find(ctx, trader.account, ids)
  const own = found.filter((order) => order?.account === trader.account) as (OrderView | OrderRecord)[]
  const shown = new Map((await present(ctx, own)).map((order) => [order.id, order]))
  return ids.map((order_id, index) => {
    const order = found[index]
    if (!order) return { order_id, status: 404 as const, error: refusalText('order_not_found') }
    if (order.account !== trader.account) return { order_id, status: 403 as const, error: refusalText('order_not_owned') }
    return { order_id, status: 200 as const, order: shown.get(order.orderId)! }
  })
}

/** Orders that an account calls by their IDs or its names, from the engine if it remembers them, else from history. */
async function find(ctx: Context, account: Hex, texts: readonly string[]): Promise<(OrderView | OrderRecord | null)[]> {
  const ids = await findOrderIds(ctx, account, texts)
  return Promise.all(ids.map((id) => ctx.exchange.order(id) ?? ctx.lookUps.order(id)))
}

/** Orders as their owner sees them, with their trades and when they last changed. */
export async function present(ctx: Context, orders: readonly (OrderView | OrderRecord)[]): Promise<Order[]> {
  const { readModel } = ctx.venue
  const traded = orders.filter(({ matched }) => matched > 0)
  if (traded.length > 0 || orders.some(({ orderId }) => ctx.exchange.wasReduced(orderId))) await caughtUp(ctx)
  const [trades, changed] = await Promise.all([tradesOf(readModel, traded), changedAt(ctx, orders)])
  return orders.map((order) =>
    orderView(order, ctx.markets, { trades: trades.get(order.orderId) ?? [], updatedAt: changed.get(order.orderId) ?? order.at }),
  )
}

/** Ids of the trades of one order so far. */
export async function tradesSoFar(ctx: Context, order: OrderView): Promise<string[]> {
  if (order.matched === 0) return []
  await caughtUp(ctx)
  return (await tradesOf(ctx.venue.readModel, [order])).get(order.orderId) ?? []
}

const tradesOf = async (readModel: ReadModel, traded: readonly OrderView[]): Promise<Map<Hex, string[]>> =>
  traded.length === 0 ? new Map() : readModel.tradeIds(traded.map(({ orderId }) => orderId))

/** When orders last changed: the engine knows when one ended; fills and reductions of open ones are in history. */
async function changedAt(ctx: Context, orders: readonly (OrderView | OrderRecord)[]): Promise<Map<Hex, number>> {
  const ends = orders.map((order) => [order.orderId, endOf(ctx, order)] as const)
  const open = ends.flatMap(([id, at]) => (at === null ? [id] : []))
  const changed = open.length === 0 ? new Map<Hex, number>() : await ctx.venue.readModel.changedAt(open)
  for (const [id, at] of ends) if (at !== null) changed.set(id, at)
  return changed
}

function endOf({ exchange }: Context, order: OrderView | OrderRecord): number | null {
  if ('endedAt' in order) return order.endedAt
  const isUnswept = order.state === 'expired'
  return exchange.endedAt(order.orderId) ?? (isUnswept ? order.expiration * 1000 : null)
}
