import type { Notification } from '@augury/wire/notification'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import { orderView } from '../views/order-view.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000
/** Notifications at most: the newest ones. */
const NEWEST = 500
/** Ends that the owner asked for, and needs not be told of. */
const ASKED = ['user', 'cancel_all', 'market_cancel', 'amend_replaced']

/** Orders of the trader that were filled, or ended without being asked to, in the last 48 hours, newest first. */
export async function listNotifications(ctx: Context, trader: Trader): Promise<Notification[]> {
  const { readModel } = ctx.venue
  await readModel.waitFor(ctx.exchange.seq)
  const [ended, dropped] = await Promise.all([
    readModel.endings(trader.account, ctx.venue.now() - REMEMBERED_MS, ASKED, NEWEST),
    ctx.dropped.of(trader.account),
  ])
  return ended
    .filter(({ seq }) => !dropped.has(seq))
    .map((order) => ({
      id: order.seq,
      type: order.state === 'filled' ? 2 : 1,
      owner: order.by.owner,
      timestamp: Math.floor(order.endedAt! / 1000),
      payload: orderView(order, ctx.markets, { updatedAt: order.endedAt! }),
    }))
}

/** Forgets notifications; ids that are none are ignored. */
export async function dropNotifications(ctx: Context, trader: Trader, { query }: { query: { ids: string[] } }): Promise<'OK'> {
  const ids = query.ids.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  await ctx.dropped.drop(trader.account, ids)
  return 'OK'
}
