import { hash } from 'node:crypto'
import type { Hex, Place } from '@augury/engine/command'
import { clientOrderHash, plainOrderId } from '@augury/signing/order-id'
import { sha256 } from '@augury/signing/sha256'
import { DecimalError, formatPrice, parseDecimal } from '@augury/units/decimal'
import { type Grid, ONE } from '@augury/units/price'
import type { OrderBody, PlainOrder } from '@augury/wire/order-body'
import { ServiceError } from '@augury/wire/service-error'
import { encodeAnnex } from './annex.ts'
import type { Token } from './books.ts'
import type { Context } from './context.ts'
import { scopeCovers, type Trader } from './identity.ts'

/** An order that is ready to be placed but for the question whether it was placed before. */
export interface Intent {
  place: Place
  /** First 8 bytes of a hash over what was asked: a retry has the same. Null where no other order can have its id. */
  content: Uint8Array | null
  clientOrderId: string | null
  /** Whether its id may be older than what the engine remembers. */
  old: boolean
}

/** First 8 bytes of the hash of an order's terms as they were asked for. */
export const contentOf = (terms: readonly unknown[]): Uint8Array => sha256(JSON.stringify(terms)).subarray(0, 8)

/** The token of an order, and what of its market every order is measured by. */
export function marketOf(ctx: Context, tokenId: string): { token: Token; grid: Grid; negRisk: boolean } {
  const token = ctx.markets.token(tokenId)
  const condition = token && ctx.exchange.condition(token.condition)
  if (!token || !condition) throw new ServiceError('unknown_token')
  return { token, grid: condition.grid as Grid, negRisk: condition.event !== null }
}

/** Reads a decimal as an integer count of 10^-places; text that is finer is refused with `tooFine`. */
function count(
  text: string,
  places: number,
  tooFine: 'invalid_price_tick' | 'invalid_amount_precision',
  values: Record<string, string> = {},
): number {
  try {
    return parseDecimal(text, places)
  } catch (error) {
    if (error instanceof DecimalError) throw new ServiceError(tooFine, { values })
    throw error
  }
}

/** What a plain order asks for, in steps, lots and millionths. */
function terms(order: PlainOrder, grid: Grid): Pick<Place, 'price' | 'lots' | 'budget'> {
  // The furthest price that the market's grid knows: a market order without a worst price accepts any.
  const worst = order.side === 'BUY' ? ONE - grid : grid
  const price =
    order.price === undefined ? worst : count(order.price, 4, 'invalid_price_tick', { price: order.price, tick: formatPrice(grid) })
  // What no market can have is no command either; what this one may not have is for the engine to say, after it knows the order's id.
  if (price > ONE) {
    throw new ServiceError('price_out_of_range', {
      values: { price: formatPrice(price), min: formatPrice(grid), max: formatPrice(ONE - grid) },
    })
  }
  if (order.size !== undefined) return { price, lots: count(order.size, 2, 'invalid_amount_precision'), budget: 0 }
  const amount = order.amount ?? '0'
  return order.side === 'BUY'
    ? { price, lots: 0, budget: count(amount, 6, 'invalid_amount_precision') }
    : { price, lots: count(amount, 2, 'invalid_amount_precision'), budget: 0 }
}

/** A plain order of a key's holder: the signature of the request is its authorisation. `leg` is its place in the batch. */
export function plainIntent(ctx: Context, trader: Trader, order: PlainOrder, leg: number): Intent {
  const { token, grid } = marketOf(ctx, order.tokenId)
  const selfTrade = order.stp ?? 'expire_maker'
  if (selfTrade === 'none' && !scopeCovers(trader.scope, 'operator')) throw new ServiceError('insufficient_scope')
  const clientOrderId = order.clientOrderId ?? null
  const { tokenId, side, orderType, price, size, amount, expiration = 0, postOnly = false } = order
  // Without a name the id is made of the request's signature, which covers all of it.
  const content =
    clientOrderId === null ? null : contentOf([tokenId, side, orderType, price, size, amount, expiration, postOnly, selfTrade])
  const place: Place = {
    type: 'place',
    orderId: clientOrderId === null ? plainOrderId(trader.account, trader.signature, leg) : clientOrderHash(trader.account, clientOrderId),
    account: trader.account,
    condition: token.condition,
    outcome: token.outcome,
    side,
    orderType,
    ...terms(order, grid),
    expiration,
    postOnly,
    selfTrade,
    deployment: feeAccountOf(ctx, trader),
    annex: encodeAnnex({ owner: trader.key, maker: null, clientOrderId, content }),
  }
  return { place, content, clientOrderId, old: clientOrderId !== null }
}

/** Where the fee of a trader's order goes: to whom the deployment of the key named, a wallet standing for its owner; null for the condition's creator. */
export const feeAccountOf = ({ wallets, feeAccounts }: Context, { deployment }: Trader): Hex | null =>
  deployment && wallets.accountOf(feeAccounts.of(deployment))

/** Whether a body is the plain form. */
export const isPlain = (body: OrderBody): body is PlainOrder => !('order' in body)

/** An order id as sent: texts that cannot be one become an id that nobody has. */
export const orderIdOf = (text: string): Hex =>
  /^0x[0-9a-f]{64}$/.test(text) ? (text as Hex) : `0x${hash('sha256', `no order${text}`, 'hex')}`
