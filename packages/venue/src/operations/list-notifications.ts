import type { Notification } from '@augury/wire/notification'
import type { Trader } from '../access/identity.ts'
import type { Context } from '../context.ts'
import type { OrderRecord } from '../history/read-orders.ts'
import { present } from './list-orders.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000
/** Notifications at most: the newest ones. */
const NEWEST = 500
/** End reasons that the owner caused, and which need no notification. */
const ASKED = ['user', 'cancel_all', 'market_cancel', 'amend_replaced']

const newest = ({ venue }: Context, { account }: Trader): Promise<OrderRecord[]> =>
  venue.readModel.endings(account, venue.now() - REMEMBERED_MS, ASKED, NEWEST)

/** Orders of the trader that were filled, or ended without the trader's doing, in the last 48 hours, newest first. */
export async function listNotifications(ctx: Context, trader: Trader): Promise<Notification[]> {
  await ctx.venue.readModel.waitFor(ctx.exchange.seq)
  const [ended, dropped] = await Promise.all([newest(ctx, trader), ctx.dropped.of(trader.account)])
  const told = ended.filter(({ seq }) => !dropped.has(seq))
  const payloads = await present(ctx, told)
  return told.map((order, nth) => ({
    id: order.seq,
    type: order.state === 'filled' ? 2 : 1,
    owner: order.by.owner,
    timestamp: Math.floor(order.endedAt! / 1000),
    payload: payloads[nth]!,
  }))
}

/** Dismisses the named notifications, or all. Ids that are not the trader's are ignored and not stored. */
export async function dropNotifications(ctx: Context, trader: Trader, { query }: { query: { ids?: string[] | undefined } }): Promise<'OK'> {
  const named = query.ids && new Set(query.ids.map(Number))
  const ended = await newest(ctx, trader)
  await ctx.dropped.drop(
    trader.account,
    ended.flatMap(({ seq }) => (!named || named.has(seq) ? [seq] : [])),
  )
  return 'OK'
}
