import { hash } from 'node:crypto'
import type { Hex, Place } from '@augury/engine/command'
import { clientOrderHash, plainOrderId } from '@augury/signing/order-id'
import { sha256 } from '@augury/signing/sha256'
import { DecimalError, formatPrice, parseDecimal } from '@augury/units/decimal'
import { type Grid, ONE } from '@augury/units/price'
import type { OrderBody, PlainOrder } from '@augury/wire/order-body'
import { isClientOrderId } from '@augury/wire/scalars'
import { ServiceError } from '@augury/wire/service-error'
import { encodeAnnex } from '../../base/annex.ts'
import type { Token } from '../../base/books.ts'
import { scopeCovers, type Trader } from '../access/identity.ts'
import type { Context } from './context.ts'

/** An order ready to be placed, unless it was placed before. */
export interface Intent {
  place: Place
  /** First 8 bytes of a hash over what was asked, by which a retry is recognised. Null for an order without a name: it has no retries. */
  content: Uint8Array | null
  clientOrderId: string | null
  /** Whether its id may be older than what the engine remembers. */
  old: boolean
}

/** First 8 bytes of the hash of an order's terms as sent. */
export const contentOf = (terms: readonly unknown[]): Uint8Array => sha256(JSON.stringify(terms)).subarray(0, 8)

/** The token of an order with the grid, kind and fee rate of its market. Throws `unknown_token`. */
export function tradedToken(ctx: Context, tokenId: string): { token: Token; grid: Grid; negRisk: boolean; feeBps: number } {
  const token = ctx.markets.token(tokenId)
  const condition = token && ctx.exchange.condition(token.condition)
  if (!token || !condition) throw new ServiceError('unknown_token')
  return { token, grid: condition.grid as Grid, negRisk: condition.event !== null, feeBps: condition.feeBps }
}

/** Reads a decimal as an integer count of 10^-places. Text that is finer, or more than can be counted, is refused. */
function count(text: string, places: number, tooFine: () => ServiceError, tooLarge: () => ServiceError): number {
  try {
    return parseDecimal(text, places)
  } catch (error) {
    if (error instanceof DecimalError) throw error.isTooLarge ? tooLarge() : tooFine()
    throw error
  }
}

const quantity = (text: string, places: number): number =>
  count(
    text,
    places,
    () => new ServiceError('invalid_amount_precision'),
    () => new ServiceError('size_too_large'),
  )

/** A count of shares as lots. */
export const lotsOf = (text: string): number => quantity(text, 2)

/** What a plain order asks for, in steps, lots and millionths. */
function terms(order: PlainOrder, grid: Grid, id: Hex): Pick<Place, 'price' | 'lots' | 'budget'> {
  const { side, price: asked, size, amount = '0' } = order
  const refused = (code: 'invalid_price_tick' | 'price_out_of_range') => () =>
    new ServiceError(code, {
      values: { id, price: asked ?? '', tick: formatPrice(grid), min: formatPrice(grid), max: formatPrice(ONE - grid) },
      extras: { orderID: id, orderId: id },
    })
  const outOfRange = refused('price_out_of_range')
  // A market order without a worst price accepts any: the furthest price on the market's grid.
  const worst = side === 'BUY' ? ONE - grid : grid
  const price = asked === undefined ? worst : count(asked, 4, refused('invalid_price_tick'), outOfRange)
  // A price above 1 fits no command. Anything else that this market forbids is for the engine to refuse, which first looks at the order's
  // id.
  if (price > ONE) throw outOfRange()
  if (size !== undefined) return { price, lots: lotsOf(size), budget: 0 }
  return side === 'BUY' ? { price, lots: 0, budget: quantity(amount, 6) } : { price, lots: lotsOf(amount), budget: 0 }
}

/**
 * The name of a plain order: its client order id, or the request's `Idempotency-Key` with the order's place in a batch. The key is hashed
 * where it is no client order id itself.
 */
function nameOf({ idempotencyKey }: Trader, { clientOrderId }: PlainOrder, leg: number): string | null {
  if (clientOrderId !== undefined || idempotencyKey === undefined) return clientOrderId ?? null
  const name = leg === 0 ? idempotencyKey : `${idempotencyKey}#${leg}`
  return isClientOrderId.test(name) ? name : hash('sha256', name, 'hex')
}

/**
 * A plain order of a key's holder: the signature of the request is its authorisation. `leg` is its place in the batch. An order without a
 * name gets its id from the request's signature, so two equal requests of one second have one id.
 */
export function plainIntent(ctx: Context, trader: Trader, order: PlainOrder, leg: number): Intent {
  const { token, grid } = tradedToken(ctx, order.tokenId)
  const selfTrade = order.stp ?? 'expire_maker'
  if (selfTrade === 'none' && !scopeCovers(trader.scope, 'operator')) throw new ServiceError('insufficient_scope')
  const clientOrderId = nameOf(trader, order, leg)
  const { tokenId, side, orderType, price, size, amount, expiration = 0, postOnly = false } = order
  const content =
    clientOrderId === null ? null : contentOf([tokenId, side, orderType, price, size, amount, expiration, postOnly, selfTrade])
  const orderId =
    clientOrderId === null ? plainOrderId(trader.account, trader.signature, leg) : clientOrderHash(trader.account, clientOrderId)
  const place: Place = {
    type: 'place',
    orderId,
    account: trader.account,
    condition: token.condition,
    outcome: token.outcome,
    side,
    orderType,
    ...terms(order, grid, orderId),
    expiration,
    postOnly,
    selfTrade,
    deployment: feeAccountOf(ctx, trader),
    annex: encodeAnnex({ owner: trader.key, maker: null, clientOrderId, content }),
  }
  return { place, content, clientOrderId, old: clientOrderId !== null && !ctx.orderNames.isNew(orderId) }
}

/**
 * The account that gets the fee of a trader's order: the fee account of the deployment whose key it is (a wallet stands for its owner), or
 * null for the condition's creator.
 */
export const feeAccountOf = ({ wallets, feeAccounts }: Context, { deployment }: Trader): Hex | null =>
  deployment && wallets.accountOf(feeAccounts.of(deployment))

/** Whether a body is the plain form. */
export const isPlain = (body: OrderBody): body is PlainOrder => !('order' in body)
