import { END_REASONS } from '@augury/engine/order-terms'
import type { Notification } from '@augury/wire/notification'
import type { OrderRecord } from '../../record/history/read-orders.ts'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { present } from './list-orders.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000
/** Notifications at most: the newest ones. */
const NEWEST = 500
/** End reasons by which owners cancel their orders. */
const OWN_CANCELS = ['user', 'cancel_all', 'market_cancel']
/** The end of an order that another one replaced: it goes on under another id, which is no news. */
const REPLACED = 'amend_replaced'
const OTHER_ENDS = END_REASONS.filter((reason) => reason !== null && !OWN_CANCELS.includes(reason)) as string[]

/** The newest endings; cancels of a quoting bot are listed apart, so that they do not crowd out its fills. */
async function newest({ venue }: Context, { account }: Trader): Promise<OrderRecord[]> {
  const endings = (besides: readonly string[]) => venue.readModel.endings(account, venue.now() - REMEMBERED_MS, besides, NEWEST)
  const found = (await Promise.all([endings([...OWN_CANCELS, REPLACED]), endings(OTHER_ENDS)])).flat()
  return [...new Map(found.map((order) => [order.seq, order])).values()].sort((a, b) => b.endedAt! - a.endedAt! || b.seq - a.seq)
}

/** Orders of the trader that were filled, cancelled or ended otherwise in the last 48 hours, newest first. */
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
