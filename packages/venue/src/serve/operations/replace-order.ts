import type { Hex, OnlyIf } from '@augury/engine/command'
import type { Refused } from '@augury/engine/event'
import type { ReplaceBody } from '@augury/wire/order-body'
import type { ReplaceResult } from '@augury/wire/order-result'
import { refusalText } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { chain } from '../../base/maybe-promise.ts'
import type { Trader } from '../access/identity.ts'
import { notCanceled, refusedCancel } from './cancel-order.ts'
import type { Context } from './context.ts'
import { lotsOf } from './order-intent.ts'
import { findOrderId } from './order-reference.ts'
import { answerOf, prepareOrder, releaseName, replay, submitNamed } from './place-order.ts'
import { partRefusal } from './refused.ts'

/** Refusals that are about the order to be replaced. */
const ABOUT_THE_OLD: ReadonlySet<string> = new Set(['order_not_found', 'order_not_owned', 'order_ended'])

/**
 * Replaces an order by another in one step: what the old one holds counts for the new one, and the book in between is never visible. When the
 * new one is refused or rejected, the old one stays.
 */
export async function replaceOrder(ctx: Context, trader: Trader, { body }: { body: ReplaceBody }): Promise<ReplaceResult> {
  const onlyIf: OnlyIf = typeof body.only_if === 'string' ? body.only_if : { matched: lotsOf(body.only_if.size_matched) }
  return ctx.lanes.run(
    trader.account,
    (ahead) =>
      chain(findOrderId(ctx, trader.account, body.cancel), (old) =>
        chain(prepareOrder(ctx, trader, body.order, 0, ahead), (prepared) => ({ old, ...prepared })),
      ),
    async ({ old, intent, earlier }) => {
      if (earlier) {
        const order = await replay(ctx, trader, intent, earlier)
        return { success: true, ...(await whatWent(ctx, trader, body, old, await hasEnded(ctx, trader, old, order.seq))), order }
      }
      const requireCancel = body.mode === 'stop_on_failure'
      const result = await submitNamed(ctx, trader, intent, { type: 'replace', cancel: old, requireCancel, onlyIf, place: intent.place })
      const [answer] = result.events
      if (answer?.type === 'refused' && ABOUT_THE_OLD.has(answer.code)) {
        releaseName(ctx, trader, intent)
        throw await notReplaced(ctx, trader, body.cancel, old, answer)
      }
      const order = await answerOf(ctx, trader, intent, result)
      const isPast = answer?.type === 'placed' && answer.again
      const went = isPast
        ? await hasEnded(ctx, trader, old, order.seq)
        : result.events.some((event) => event.type === 'ended' && event.order.orderId === old)
      return { success: true, ...(await whatWent(ctx, trader, body, old, went)), order }
    },
  )
}

/** Whether the past command at a position changed an order of the trader, so that it ended there and not earlier. */
async function hasEnded({ venue: { readModel } }: Context, { account }: Trader, orderId: Hex, seq: number): Promise<boolean> {
  await readModel.waitFor(seq)
  const [change] = await readModel.accountChanges(account, seq - 1, 1)
  return change?.seq === seq && change.orders.some(({ order }) => order.orderId === orderId)
}

/**
 * Tells whether the old order was replaced; `went` says that it ended in the same command, replaced or by meeting the new one. One that is still
 * open was kept by `only_if`, or the new order had been placed before.
 */
async function whatWent(
  ctx: Context,
  { account }: Trader,
  { cancel: id, only_if }: ReplaceBody,
  orderId: Hex,
  went: boolean,
): Promise<Pick<ReplaceResult, 'canceled' | 'not_canceled'>> {
  const old = ctx.exchange.order(orderId) ?? (await ctx.lookUps.order(orderId).catch(partRefusal))
  if (old instanceof ServiceError) return { canceled: [], not_canceled: { [id]: old.message } } // the new order stands whatever history says
  if (went && old?.account === account && old.reason === 'amend_replaced') return { canceled: [id], not_canceled: {} }
  const kept = only_if === 'any' ? 'duplicate_order' : 'only_if_unmet'
  const code = !old ? 'order_not_found' : isOpen(old) ? kept : 'order_ended'
  return { canceled: [], not_canceled: { [id]: refusalText(code) } }
}

const isOpen = ({ state }: Pick<Refused, 'state'>): boolean => state === 'live' || state === 'partially_filled'

/** Why the old order was not replaced: as why it would not be cancelled, unless it is open and only not as `only_if` asks. */
async function notReplaced(ctx: Context, { account }: Trader, id: string, orderId: Hex, refused: Refused): Promise<ServiceError> {
  return isOpen(refused) ? notCanceled('only_if_unmet', id, refused.state) : refusedCancel(ctx, account, id, orderId, refused)
}
