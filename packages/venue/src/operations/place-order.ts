import type { Command } from '@augury/engine/command'
import type { OrderView } from '@augury/engine/event'
import { transactionHash } from '@augury/signing/transaction-hash'
import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import type { InvalidLeg, OrderBody } from '@augury/wire/order-body'
import type { OrderLegResult, OrderResult } from '@augury/wire/order-result'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { Trader } from '../access/identity.ts'
import { decodeAnnex } from '../annex.ts'
import type { Context } from '../context.ts'
import { withoutDatabase } from '../database-away.ts'
import type { OrderRecord } from '../history/read-orders.ts'
import { OutcomeUnknown } from '../log/outcome-unknown.ts'
import { hasEnded } from '../markets.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { type Intent, isPlain, plainIntent } from '../order-intent.ts'
import { limitsOf, refusalOf } from '../refused.ts'
import { signedIntent, signedTimeRefusal } from '../signed-intent.ts'
import { tradesOf } from '../trades-of.ts'
import type { Result } from '../venue.ts'
import { averagePrice } from '../views/order-view.ts'
import { submitOwn } from './submit-own.ts'

/** Milliseconds for which the same order again gets its first answer. */
const REPLAYED_MS = 24 * 60 * 60 * 1000
/** Seconds that a new GTD order lives at least. */
const GTD_SECONDS = 60

/** Places one order. The same order again answers what it answered first. */
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
  const { orderID, state } = refusal.extras ?? {}
  return {
    success: false,
    errorMsg: refusal.message,
    code: refusal.code,
    ...(typeof orderID === 'string' ? { orderID } : {}),
    ...(state === 'rejected' ? { state } : {}),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  }
}

/** Keeps the legs in order, among themselves and with every other request of the account. */
const place = (ctx: Context, trader: Trader, body: OrderBody | InvalidLeg, leg: number): Promise<OrderResult> =>
  ctx.lanes.run(
    trader.account,
    () => prepareOrder(ctx, trader, body, leg),
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

/** Builds the order and looks for an earlier one with its id, before anything that depends on state or time is checked. */
export function prepareOrder(ctx: Context, trader: Trader, body: OrderBody | InvalidLeg, leg: number): MaybePromise<Prepared> {
  if ('invalid' in body) throw body.invalid
  const ahead = ctx.lanes.ahead(trader.account)
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
 * The first answer to the same order. Throws `duplicate_order` or `client_order_id_conflict` when it is another order, or older than a day.
 */
export async function replay(ctx: Context, trader: Trader, intent: Intent, earlier: OrderView | OrderRecord): Promise<OrderResult> {
  const { content } = intent
  const same = earlier.account === trader.account && (content === null || Buffer.from(decodeAnnex(earlier.annex).content).equals(content))
  if (!same) throw new ServiceError(intent.clientOrderId === null ? 'duplicate_order' : 'client_order_id_conflict', duplicate(earlier))
  if (ctx.venue.now() - earlier.at > REPLAYED_MS) throw new ServiceError('duplicate_order', duplicate(earlier))
  trader.answerHeaders['Idempotent-Replayed'] = 'true'
  return firstAnswer(ctx, intent, { ...earlier, lots: await placedLots(ctx, earlier) }, await firstTradesOf(ctx, earlier))
}

/** Numbers `n` of the trades of a past placement: a single fill is trade 1; how several fills were joined is in history. */
async function firstTradesOf({ venue: { readModel } }: Context, { orderId, seq, first }: OrderView): Promise<number[]> {
  if (first.fills < 2) return first.fills === 1 ? [1] : []
  await readModel.waitFor(seq)
  const ids = (await readModel.tradeIds([orderId])).get(orderId) ?? []
  return ids.map((id) => id.split('-').map(Number)).flatMap(([at, n]) => (at === seq ? n! : []))
}

/** An order's size in lots when it was placed; history knows it when the order was reduced since. */
async function placedLots({ exchange, venue: { readModel } }: Context, order: OrderView | OrderRecord): Promise<number> {
  if ('placedLots' in order) return order.placedLots
  if (!exchange.wasReduced(order.orderId)) return order.lots
  await readModel.waitFor(order.seq)
  return (await readModel.orders([order.orderId])).get(order.orderId)!.placedLots
}

const duplicate = ({ orderId }: OrderView) => ({ values: { id: orderId }, extras: { orderID: orderId, orderId } })

/** The answer to a placement: what it did at once, in `trades`, whatever happened to the order since. Throws when it was rejected. */
function firstAnswer(ctx: Context, { clientOrderId }: Intent, order: OrderView, trades: readonly number[]): OrderResult {
  const { orderId, first, seq, lots } = order
  if (first.state === 'rejected')
    throw new ServiceError(order.reason as RefusalCode, { extras: { orderID: orderId, orderId, state: 'rejected' } })
  const [usdc, shares] = [formatUsdc(first.cost), formatLots(first.matched)]
  return {
    success: true,
    errorMsg: '',
    orderID: orderId,
    orderId,
    state: first.state,
    status: first.matched > 0 ? 'matched' : first.state === 'live' ? 'live' : 'unmatched', // ended at an order of its owner
    makingAmount: order.side === 'BUY' ? usdc : shares,
    takingAmount: order.side === 'BUY' ? shares : usdc,
    transactionsHashes: trades.map((n) => transactionHash(ctx.venue.stream, seq, n)),
    tradeIDs: trades.map((n) => `${seq}-${n}`),
    ...(clientOrderId === null ? {} : { clientOrderId }),
    seq,
    size_matched: shares,
    remaining_size: formatLots(lots - first.matched),
    avg_price: averagePrice(first.cost, first.matched),
    fee: formatUsdc(first.fee),
  }
}
