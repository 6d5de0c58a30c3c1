import { z } from 'zod'
import { CANCEL_BATCH, LOOKUP_BATCH, ORDER_BATCH } from './limits.ts'
import { payloadRefusal } from './parse.ts'
import {
  address,
  anyId,
  apiKey,
  bytes32,
  clientOrderId,
  decimal,
  type Hex,
  idAsSent,
  orderType,
  side,
  tokenText,
  uint256,
  unixSeconds,
} from './scalars.ts'

/** What happens when an order would match one of the same owner. */
export const selfTrade = z.enum(['expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none'])

/** Unix seconds, which lists give as text: what was read may be sent again. */
const secondsAsSent = z.union([unixSeconds, uint256.transform(Number).pipe(unixSeconds)])

/**
 * The plain form: the HMAC of the request is the authorisation. A limit order has `price` and `size`;
 * a market order (FOK, FAK) `amount` (BUY: USDC to spend, SELL: shares) and optionally its worst `price`.
 */
export const plainOrder = z
  .strictObject({
    tokenId: tokenText,
    side,
    orderType,
    price: decimal.optional().describe('Of a limit order; of a market order the worst one, if any.'),
    size: decimal.optional().describe('Shares of a limit order.'),
    amount: decimal
      .optional()
      .describe('Instead of `size`, with FOK and FAK: a market order. BUY: USDC to spend, without the fee. SELL: shares.'),
    expiration: secondsAsSent.optional().describe('With GTD: Unix seconds from which on it trades no more, as a number or as text.'),
    postOnly: z.boolean().optional().describe('With GTC and GTD: refused where it would trade at once.'),
    clientOrderId: clientOrderId
      .optional()
      .describe('Your id for it. The same order sent again is answered with `replayed` and its state of now, another order with 409.'),
    stp: selfTrade.optional().describe('What happens where it meets an order of your own; `expire_maker` unless said.'),
  })
  .refine(({ size, amount }) => (size === undefined) !== (amount === undefined), 'give either size or amount')
  .refine(({ size, price }) => size === undefined || price !== undefined, 'a limit order has a price')
  .refine(({ amount, orderType }) => amount === undefined || orderType === 'FOK' || orderType === 'FAK', 'an amount is for FOK and FAK')

/** Integers that some clients send as a number and others as text. */
const salt = z.union([z.int().min(0), uint256]).transform(String)
const signedExpiration = z.union([uint256, z.int().min(0)]).transform(String)
const signature = z
  .string()
  .regex(/^0[xX]([0-9a-fA-F]{2}){65,1024}$/, 'expected a signature in hex')
  .toLowerCase() as unknown as z.ZodType<Hex, string>
const signatureType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])

const signedAmounts = {
  salt,
  maker: address,
  signer: address,
  tokenId: uint256,
  makerAmount: uint256,
  takerAmount: uint256,
  side,
  signatureType,
  signature,
}

/** The signed fields of version 1, recognised by `taker`, `nonce` and `feeRateBps`. */
const signedOrderV1 = z.strictObject({
  ...signedAmounts,
  taker: address,
  expiration: signedExpiration,
  nonce: uint256,
  feeRateBps: uint256,
})

/** The signed fields of versions 2 and 3, which differ only in the domain: recognised by `timestamp`. `expiration` is not signed. */
const signedOrderV2 = z.strictObject({
  ...signedAmounts,
  timestamp: uint256,
  metadata: bytes32,
  builder: bytes32,
  expiration: signedExpiration.default('0'),
  taker: address.optional(),
})

/** Fields sent beside the signed ones. */
const envelope = {
  owner: apiKey,
  orderType,
  postOnly: z.boolean().optional(),
  deferExec: z.boolean().optional(),
  clientOrderId: clientOrderId.optional(),
}

/** A wallet-signed order of version 1 with its envelope. */
export const signedBodyV1 = z.strictObject({ order: signedOrderV1, ...envelope })
/** A wallet-signed order of version 2 or 3 with its envelope. */
export const signedBodyV2 = z.strictObject({ order: signedOrderV2, ...envelope })

/** Any form in which an order may be sent. */
export const orderBody = z.union([plainOrder, signedBodyV1, signedBodyV2])

export type PlainOrder = z.output<typeof plainOrder>
export type SignedBodyV1 = z.output<typeof signedBodyV1>
export type SignedBodyV2 = z.output<typeof signedBodyV2>
export type OrderBody = z.output<typeof orderBody>
/** What a caller sends for an order. */
export type OrderRequest = z.input<typeof orderBody>

/** A malformed leg of a batch: it is refused on its own, and the others are processed. */
export interface InvalidLeg {
  invalid: ReturnType<typeof payloadRefusal>
}

const orderLeg = z.unknown().transform((value): OrderBody | InvalidLeg => {
  const leg = orderBody.safeParse(value)
  return leg.success ? leg.data : { invalid: payloadRefusal(leg.error, value) }
}) as unknown as z.ZodType<OrderBody | InvalidLeg, OrderRequest>

/** `POST /orders`: one order, or up to 15 that are handled independently. */
export const orderBatch = z.union([
  z
    .array(orderLeg)
    .min(1)
    .max(ORDER_BATCH, { error: ({ input }) => `Too many orders in payload: ${(input as unknown[]).length}, max allowed: ${ORDER_BATCH}` }),
  orderBody,
])

/** The order to cancel, by its ID or client order ID: `orderId`, `orderID` as established clients spell it, or `clientOrderId`. */
export const cancelBody = z
  .strictObject({ orderId: idAsSent.optional(), orderID: idAsSent.optional(), clientOrderId: clientOrderId.optional() })
  .refine(({ orderId, orderID, clientOrderId: name }) => (orderId ?? orderID ?? name) !== undefined, {
    message: 'orderId is required',
    path: ['orderId'],
  })
  .refine(({ orderId, orderID = orderId }) => (orderId ?? orderID)?.toLowerCase() === orderID?.toLowerCase(), 'orderId and orderID differ')
  .refine(({ orderId, orderID = orderId, clientOrderId: name }) => !(orderID && name), 'give either orderId or clientOrderId')
  .transform(({ orderId, orderID, clientOrderId: name }) => ({ orderId: (orderId ?? orderID ?? name)! }))

const amended = decimal.describe('The new whole size, with what was filled: some of it has to be left.')

/** Reduces an open order, given by its id or its client order id, to the total size `size`. */
export const amendBody = z
  .strictObject({ orderId: anyId.optional(), orderID: anyId.optional(), clientOrderId: clientOrderId.optional(), size: amended })
  .refine((body) => new Set([body.orderId ?? body.orderID, body.orderID ?? body.orderId]).size === 1, 'orderId and orderID differ')
  .transform(({ orderId, orderID, ...rest }) => ({ ...rest, orderId: orderId ?? orderID }))
  .refine((body) => (body.orderId === undefined) !== (body.clientOrderId === undefined), 'give either orderId or clientOrderId')

/**
 * Cancels an order and places another one in one step. With `stop_on_failure` nothing happens unless `cancel` can be cancelled; `only_if` adds
 * conditions, such as a `size_matched` that must equal what its owner last saw. If the new order is refused or rejected, the old one stays.
 */
export const replaceBody = z.strictObject({
  cancel: idAsSent.describe('Id of the order that goes. It stays when the new one is refused or rejected.'),
  order: orderBody,
  mode: z
    .enum(['stop_on_failure', 'allow_failure'])
    .default('stop_on_failure')
    .describe('Whether the new order is placed also where the other one cannot be cancelled: with `allow_failure` it is.'),
  only_if: z
    .union([z.enum(['any', 'unfilled', 'partially_filled']), z.strictObject({ size_matched: decimal })])
    .default('any')
    .describe('How the order that goes has to be: else 409. `size_matched` is what of it you last saw filled.'),
})
export type ReplaceBody = z.output<typeof replaceBody>

/** `DELETE /orders`; may be empty. */
export const cancelBatch = z.array(idAsSent).max(CANCEL_BATCH)

/** What some established clients send for an absent value. */
const none = z.literal(['', null]).transform(() => undefined)

/** `DELETE /cancel-market-orders`: a market, one of its tokens, or both. */
export const cancelMarketBody = z
  .strictObject({ market: z.union([bytes32, none]).optional(), asset_id: z.union([uint256, none]).optional() })
  .refine(({ market, asset_id }) => market !== undefined || asset_id !== undefined, 'give a market or an asset_id')

/** `POST /data/orders`. */
export const orderIds = z.array(idAsSent).max(LOOKUP_BATCH)
