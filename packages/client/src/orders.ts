import { budgetAmounts, limitAmounts } from '@augury/signing/amounts'
import { orderDigest } from '@augury/signing/order-digest'
import { auguryOrderDomain } from '@augury/signing/order-domains'
import { type OrderFieldsV2, orderTypedData } from '@augury/signing/order-fields'
import { parseLots, parsePrice, parseUsdc } from '@augury/units/decimal'
import type { Grid } from '@augury/units/price'
import type { OrderRequest } from '@augury/wire/order-body'
import type { Hex } from '@augury/wire/scalars'
import type { Wallet } from './api-key.ts'

/**
 * An order in decimals: `size` shares at a limit price, or `amount` to spend (BUY, USDC) or to sell (SELL, shares) at a worst price. A FOK or FAK
 * BUY takes `amount` and no `size`, since its signed amount is read as a budget; orders that may rest take no `amount`.
 */
export interface OrderIntent {
  tokenId: string
  side: 'BUY' | 'SELL'
  orderType: 'GTC' | 'GTD' | 'FOK' | 'FAK'
  price: string
  size?: string
  amount?: string
  /** Unix seconds, for GTD. */
  expiration?: number
  postOnly?: boolean
  clientOrderId?: string
}

/** What else is needed to sign an order. */
export interface SigningContext {
  wallet: Wallet
  chainId: number
  /** Id of the API key that sends the order. */
  apiKey: string
  tickSize: string
  /** Unix milliseconds; part of the signed order. */
  now?: number
}

const ZERO = `0x${'00'.repeat(32)}` as const

/** A random number below 2^48, so that equal orders of the same millisecond have different ids. */
const randomSalt = (): string =>
  String(crypto.getRandomValues(new Uint32Array(2)).reduce((sum, part, index) => sum + (index ? (part & 0xffff) * 2 ** 32 : part), 0))

/**
 * Builds and signs an order in our own domain. Returns the body for `POST /order` and the order's id, by which it can be looked up even if the
 * response is lost. Throws a `DecimalError` when a number is not exact, and a `TypeError` when the order's type does not take the given `size` or
 * `amount`.
 */
export async function signOrder(intent: OrderIntent, context: SigningContext): Promise<{ body: OrderRequest; orderId: Hex }> {
  const { wallet, chainId, apiKey, tickSize, now = Date.now() } = context
  const { makerAmount, takerAmount } = amountsOf(intent, parsePrice(tickSize) as number as Grid)
  const order: OrderFieldsV2 = {
    salt: randomSalt(),
    maker: wallet.address,
    signer: wallet.address,
    tokenId: intent.tokenId,
    makerAmount: String(makerAmount),
    takerAmount: String(takerAmount),
    side: intent.side,
    signatureType: 0,
    timestamp: String(now),
    metadata: ZERO,
    builder: ZERO,
  }
  const domain = auguryOrderDomain(chainId)
  const signature = await wallet.signTypedData(orderTypedData(order, domain) as never)
  const body = {
    order: { ...order, expiration: String(intent.expiration ?? 0), signature },
    owner: apiKey,
    orderType: intent.orderType,
    ...(intent.postOnly === undefined ? {} : { postOnly: intent.postOnly }),
    ...(intent.clientOrderId === undefined ? {} : { clientOrderId: intent.clientOrderId }),
  }
  return { body, orderId: orderDigest(order, domain) }
}

function amountsOf({ side, orderType, price, size, amount }: OrderIntent, grid: Grid): { makerAmount: bigint; takerAmount: bigint } {
  const steps = parsePrice(price)
  const quantity = size ?? amount
  if (quantity === undefined || (size !== undefined && amount !== undefined)) throw new TypeError('give either size or amount')
  if (side === 'SELL') return limitAmounts(side, steps, parseLots(quantity))
  const spends = orderType === 'FOK' || orderType === 'FAK'
  if (spends !== (amount !== undefined)) throw new TypeError(`a signed BUY that is ${orderType} takes ${spends ? 'an amount' : 'a size'}`)
  return spends ? budgetAmounts(steps, parseUsdc(quantity), grid) : limitAmounts(side, steps, parseLots(quantity))
}
