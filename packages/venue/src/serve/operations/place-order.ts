import type { Command } from '@augury/engine/command'
import type { OrderState, OrderView } from '@augury/engine/event'
import { transactionHash } from '@augury/signing/transaction-hash'
import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import type { InvalidLeg, OrderBody } from '@augury/wire/order-body'
import type { OrderLegResult, OrderResult, PlaceRefused } from '@augury/wire/order-result'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import { decodeAnnex } from '../../base/annex.ts'
import { chain, type MaybePromise } from '../../base/maybe-promise.ts'
import { tradesOf } from '../../base/trades-of.ts'
import type { OrderRecord } from '../../record/history/read-orders.ts'
import type { Result } from '../../record/log/applied-row.ts'
import { OutcomeUnknown } from '../../record/log/outcome-unknown.ts'
import type { Trader } from '../access/identity.ts'
import { hasEnded } from '../reference/markets.ts'
import { averagePrice } from '../views/order-view.ts'
import type { Context } from './context.ts'
import { withoutDatabase } from './database-away.ts'
import { tradesSoFar } from './list-orders.ts'
import { type Intent, isPlain, plainIntent } from './order-intent.ts'
import { limitsOf, refusalOf } from './refused.ts'
import { signedIntent, signedTimeRefusal } from './signed-intent.ts'
import { submitOwn } from './submit-own.ts'

/** Milliseconds for which the same order again is a replay. */
const REPLAYED_MS = 24 * 60 * 60 * 1000
/** Seconds that a new GTD order lives at least. */
const GTD_SECONDS = 60

/** Places one order. The same named or signed order again is answered as `replayed`, with its state of now. */
export function placeOrder(ctx: Context, trader: Trader, { body }: { body: OrderBody }): Promise<OrderResult> {
  return place(ctx, trader, body, 0)
}

/** Places up to 15 orders, each on its own, in the order given. */
export async function placeOrders(
  ctx: Context,
  trader: Trader,
  { body }: { body: OrderBody | (OrderBody | InvalidLeg)[] },
): Promise<OrderLegResult | OrderLegResult[]> {
  if (!Array.isArray(body)) return placeOrder(ctx, trader, { body })
  return Promise.all(body.map((leg, n) => place(ctx, trader, leg, n).catch((error) => refusedLeg(ctx, error))))
}

/** A failed leg leaves the other legs' answers alone. Only an unknown outcome fails the whole batch: any answer might be untrue. */
function refusedLeg(ctx: Context, error: unknown): OrderLegResult {
  if (error instanceof OutcomeUnknown) throw error
  const refusal = withoutDatabase(error)
  if (!(refusal instanceof ServiceError)) {
    ctx.onBug(error)
    return refusedLeg(ctx, new ServiceError('internal_error'))
  }
  const { orderID, state, replayed } = (refusal.extras ?? {}) as PlaceRefused
  return {
    success: false,
    errorMsg: refusal.message,
    code: refusal.code,
    ...(orderID === undefined ? {} : { orderID }),
    ...(state === undefined ? {} : { state }),
    ...(replayed === undefined ? {} : { replayed }),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  }
}

/** Keeps the legs in order, among themselves and with every other request of the account. */
const place = (ctx: Context, trader: Trader, body: OrderBody | InvalidLeg, leg: number): Promise<OrderResult> =>
  ctx.lanes.run(
    trader.account,
    (ahead) => prepareOrder(ctx, trader, body, leg, ahead),
    ({ intent, earlier }) =>
      earlier
        ? replay(ctx, trader, intent, earlier)
        : submitNamed(ctx, trader, intent, intent.place).then((result) => answerOf(ctx, trader, intent, result)),
  )

/** Submits the command that places an order. Frees its client order id when that certainly does not happen. */
export function submitNamed(ctx: Context, trader: Trader, intent: Intent, command: Command): Promise<Result> {
  const result = submitOwn(ctx, trader.account, command)
  if (intent.clientOrderId === null) return result
  return result.catch((error: unknown) => {
    if (error instanceof ServiceError) releaseName(ctx, trader, intent)
    throw error
  })
}

/** An order ready to be placed, or placed before. */
export interface Prepared {
  intent: Intent
  earlier: OrderView | OrderRecord | null
}

/**
 * Builds the order and looks for an earlier one with its id, before anything that depends on state or time is checked. `ahead` is what was
 * before the request in its lane.
 */
export function prepareOrder(
  ctx: Context,
  trader: Trader,
  body: OrderBody | InvalidLeg,
  leg: number,
  ahead: Promise<void> | undefined,
): MaybePromise<Prepared> {
  if ('invalid' in body) throw body.invalid
  return chain(isPlain(body) ? plainIntent(ctx, trader, body, leg) : signedIntent(ctx, trader, body), (intent) => {
    const earlier = ctx.exchange.order(intent.place.orderId)
    if (earlier) return { intent, earlier }
    const claimed = () =>
      chain(checkTimes(ctx, body, intent, ahead), (sent) => (sent ? { intent, earlier: sent } : claimName(ctx, trader, intent)))
    if (!intent.old) return claimed()
    return ctx.lookUps.order(intent.place.orderId).then((known) => (known ? { intent, earlier: known } : claimed()))
  })
}

/** Claims the client order id of a new order, if it has one. Throws `client_order_id_conflict` when another order has it. */
function claimName(ctx: Context, trader: Trader, intent: Intent): MaybePromise<Prepared> {
  const { clientOrderId, place } = intent
  const isFree = clientOrderId === null || ctx.orderNames.claim(trader.account, clientOrderId, place.orderId, ctx.venue.now())
  return chain(isFree, (free) => {
    if (!free) throw new ServiceError('client_order_id_conflict', { extras: { orderID: place.orderId, orderId: place.orderId } })
    return { intent, earlier: null }
  })
}

/**
 * Checks the times of an order that is not known. One that comes too late may have been sent before, in time, and wait for its row: then
 * that one is returned. `ahead` is what the account had sent before.
 */
function checkTimes(ctx: Context, body: OrderBody, intent: Intent, ahead: Promise<void> | undefined): MaybePromise<OrderView | null> {
  const late = timeRefusal(ctx, body, intent)
  return late && sentBefore(ctx, intent, late, ahead)
}

/**
 * The refusal of a new order that comes after the end of its market, which its operator may be late to close, whose signed timestamp is out of
 * range, or that would expire within GTD_SECONDS; else null.
 */
function timeRefusal(ctx: Context, body: OrderBody, { place: { orderId, condition, orderType, expiration } }: Intent): ServiceError | null {
  if (hasEnded(ctx.markets.market(condition)!, ctx.venue.now()))
    return new ServiceError('market_closed', { extras: { orderID: orderId, orderId } })
  const refusal = isPlain(body) ? null : signedTimeRefusal(ctx, body)
  const isShort = orderType === 'GTD' && expiration < Math.floor(ctx.venue.now() / 1000) + GTD_SECONDS
  if (refusal || !isShort) return refusal
  return new ServiceError('invalid_expiration', { text: `invalid expiration: at least ${GTD_SECONDS} seconds from now` })
}

/** The same order from before, once all that the account sent before is answered; throws `late` when there is none. */
async function sentBefore(ctx: Context, { place }: Intent, late: ServiceError, ahead: Promise<void> | undefined): Promise<OrderView> {
  const isSettled = await ctx.underWay.settledBehind(ahead, place.account)
  const earlier = ctx.exchange.order(place.orderId)
  if (earlier) return earlier
  throw isSettled ? late : new OutcomeUnknown()
}

/** The answer to a command that placed an order. Throws when that was refused or rejected. */
export function answerOf(ctx: Context, trader: Trader, intent: Intent, { events }: Pick<Result, 'events'>): MaybePromise<OrderResult> {
  const answer = events[0]
  const { orderId, price } = intent.place
  if (answer?.type === 'placed') {
    return answer.again
      ? replay(ctx, trader, intent, answer.order)
      : firstAnswer(
          ctx,
          intent,
          answer.order,
          tradesOf(events).map(({ n }) => n),
        )
  }
  if (answer?.type !== 'refused') throw new Error(`no answer to the placement of ${orderId}`)
  // The id was taken while this request waited. The grid may have changed since, so what was asked decides, not what became of it.
  const earlier = answer.code === 'duplicate_order' ? ctx.exchange.order(orderId) : null
  if (earlier) return replay(ctx, trader, intent, earlier)
  releaseName(ctx, trader, intent)
  const { budget, lots, side, orderType } = intent.place
  throw refusalOf(answer, {
    extras: { orderID: orderId, orderId },
    values: {
      id: orderId,
      price: formatPrice(price),
      side,
      size: budget ? formatUsdc(budget) : formatLots(lots),
      ...(answer.code === 'amount_too_small' ? { amount: `$${formatUsdc(budget || price * lots)}` } : {}), // else more than can be counted
      address: getAddress(trader.account),
      why: orderType === 'GTD' ? 'out of range' : 'only GTD orders have one',
      ...limitsOf(answer.code, ctx.exchange.condition(intent.place.condition), budget && price),
    },
  })
}

/** Frees the client order id of an order that was refused. */
export function releaseName(ctx: Context, trader: Trader, { clientOrderId, place }: Intent): void {
  if (clientOrderId !== null) ctx.orderNames.release(trader.account, clientOrderId, place.orderId)
}

/**
 * The answer to an order that was placed before: `replayed`, with the order as it is now. Throws `duplicate_order` when nothing tells the two
 * requests apart or the order is older than a day, and `client_order_id_conflict` when another order has the name.
 */
export async function replay(ctx: Context, trader: Trader, intent: Intent, earlier: OrderView | OrderRecord): Promise<OrderResult> {
  const { content } = intent
  const isSame = earlier.account === trader.account && content !== null && Buffer.from(decodeAnnex(earlier.annex).content).equals(content)
  if (!isSame) throw new ServiceError(intent.clientOrderId === null ? 'duplicate_order' : 'client_order_id_conflict', duplicate(earlier))
  if (ctx.venue.now() - earlier.at > REPLAYED_MS) throw new ServiceError('duplicate_order', duplicate(earlier))
  trader.answerHeaders['Idempotent-Replayed'] = 'true'
  if (earlier.first.state === 'rejected') throw rejected(earlier, { replayed: true })
  const tradeIDs = await tradesSoFar(ctx, earlier)
  const order = ctx.exchange.order(earlier.orderId) ?? earlier
  return resultOf(ctx, intent, order, { ...order, cost: order.matchedCost, fee: order.first.fee, tradeIDs, replayed: true })
}

const duplicate = (order: OrderView) => ({
  values: { id: order.orderId },
  extras: { orderID: order.orderId, orderId: order.orderId, state: order.state },
})

/** The refusal of an order that ended in its placement. */
const rejected = ({ orderId, reason }: OrderView, more: object = {}): ServiceError =>
  new ServiceError(reason as RefusalCode, { extras: { orderID: orderId, orderId, state: 'rejected', ...more } })

/** The first answer to a placement: what it did at once, in `trades`. Throws when it was rejected. */
function firstAnswer(ctx: Context, intent: Intent, order: OrderView, trades: readonly number[]): OrderResult {
  const { first, seq, lots } = order
  if (first.state === 'rejected') throw rejected(order)
  const tradeIDs = trades.map((n) => `${seq}-${n}`)
  return resultOf(ctx, intent, order, { ...first, remaining: lots - first.matched, tradeIDs })
}

/** What an order got: lots, millionths, and the fee of its placement, which is all that it pays. */
interface Got {
  state: OrderState
  matched: number
  cost: number
  fee: number
  remaining: number
  tradeIDs: string[]
  replayed?: true
}

/** The result of an order in USDC and shares. */
function resultOf(ctx: Context, { clientOrderId }: Intent, { orderId, side, seq, budget }: OrderView, got: Got): OrderResult {
  const { state, matched, cost, fee, remaining, tradeIDs, replayed } = got
  const [usdc, shares] = [formatUsdc(cost), formatLots(matched)]
  return {
    success: true,
    errorMsg: '',
    orderID: orderId,
    orderId,
    state,
    status: matched > 0 ? 'matched' : state === 'live' ? 'live' : 'unmatched', // ended without a fill
    makingAmount: side === 'BUY' ? usdc : shares,
    takingAmount: side === 'BUY' ? shares : usdc,
    transactionsHashes: tradeIDs.map((id) => hashOf(ctx, id)),
    tradeIDs,
    ...(clientOrderId === null ? {} : { clientOrderId }),
    ...(replayed === undefined ? {} : { replayed }),
    seq,
    size_matched: shares,
    remaining_size: formatLots(remaining),
    ...(budget === 0 ? {} : { remaining_amount: formatUsdc(budget - cost) }),
    avg_price: averagePrice(cost, matched),
    fee: formatUsdc(fee),
  }
}

/** The transaction hash of a trade, whose id is the log position of its row and its number there. */
function hashOf(ctx: Context, tradeId: string): string {
  const [seq, n] = tradeId.split('-').map(Number)
  return transactionHash(ctx.venue.stream, seq!, n!)
}
