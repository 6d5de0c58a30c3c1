import type { Place } from '@augury/engine/command'
import { type AmountRefusal, amountsToSign, decimalsOf, termsOf } from '@augury/signing/amounts'
import { formatDecimal, formatPrice } from '@augury/units/decimal'
import { type Grid, ONE } from '@augury/units/price'
import type { SignedBodyV1, SignedBodyV2 } from '@augury/wire/order-body'
import { ServiceError } from '@augury/wire/service-error'
import { encodeAnnex } from '../../base/annex.ts'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { contentOf, feeAccountOf, type Intent, tradedToken } from './order-intent.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const DAY_MS = 24 * 60 * 60 * 1000
/** Milliseconds after which the engine may have forgotten an order that ended at once. */
const REMEMBERED_MS = 5 * 60 * 1000
const AHEAD_MS = 60 * 1000

/** The order of a wallet's EIP-712 signature, verified in another thread. Its id is the hash that was signed. */
export async function signedIntent(ctx: Context, trader: Trader, body: SignedBodyV1 | SignedBodyV2): Promise<Intent> {
  const { order, owner, orderType, postOnly = false, clientOrderId = null } = body
  if (owner.toLowerCase() !== trader.key) throw new ServiceError('owner_mismatch')
  checkMaker(ctx, trader, order)
  if (order.taker !== undefined && order.taker !== ZERO_ADDRESS)
    throw new ServiceError('invalid_payload', { text: 'taker must be the zero address' })
  const { token, grid, negRisk, feeBps } = tradedToken(ctx, order.tokenId)
  if ('feeRateBps' in order) checkVersion1(order, feeBps)
  const byBudget = order.side === 'BUY' && (orderType === 'FOK' || orderType === 'FAK')
  const terms = termsOf(order.side, BigInt(order.makerAmount), BigInt(order.takerAmount), grid, byBudget)
  const expiration = Number(order.expiration)
  if (!Number.isSafeInteger(expiration)) throw new ServiceError('invalid_expiration')

  const { chainId, compatAuth, sandbox } = ctx.settings
  const policy = { chainId, established: compatAuth, anyChain: sandbox }
  const { signature, ...fields } = order
  const signed = 'timestamp' in fields ? withoutUnsigned(fields) : fields
  const verified = await ctx.verifier.order(signed, signature, negRisk, policy)
  if (typeof verified === 'string') throw new ServiceError(verified)
  if (verified.signedBy !== trader.account) throw new ServiceError('signer_mismatch')
  if (typeof terms === 'string') throw unfit(terms, body, grid, byBudget, verified.orderId)

  const content = contentOf([orderType, postOnly, expiration, clientOrderId])
  const place: Place = {
    type: 'place',
    orderId: verified.orderId,
    account: trader.account,
    condition: token.condition,
    outcome: token.outcome,
    side: order.side,
    orderType,
    ...terms,
    expiration,
    postOnly,
    selfTrade: 'expire_maker',
    deployment: feeAccountOf(ctx, trader),
    annex: encodeAnnex({ owner: trader.key, maker: order.maker === trader.account ? null : order.maker, clientOrderId, content }),
  }
  return { place, content, clientOrderId, old: !('timestamp' in order) || ctx.venue.now() - Number(order.timestamp) > REMEMBERED_MS }
}

/**
 * Returns the refusal of amounts that make no order in this market. It names the price they amount to, as wallets sign amounts and people think
 * in prices, and in `details` the nearest amounts that would be accepted.
 */
function unfit(
  code: AmountRefusal,
  { order, orderType }: SignedBodyV1 | SignedBodyV2,
  grid: Grid,
  byBudget: boolean,
  orderId: string,
): ServiceError {
  const { side, makerAmount, takerAmount } = order
  const tick = formatPrice(grid)
  const isPrice = code === 'invalid_price_tick' || code === 'price_out_of_range'
  const [collateral, shares] = side === 'BUY' ? [makerAmount, takerAmount] : [takerAmount, makerAmount]
  const price = isPrice ? priceText(BigInt(collateral), BigInt(shares)) : ''
  const kind = `${orderType === 'FOK' || orderType === 'FAK' ? 'market' : 'limit'} ${side.toLowerCase()} orders`
  const values = { id: orderId, price, tick, min: tick, max: formatPrice(ONE - grid), kind, ...decimalsOf(side, grid, byBudget) }
  const valid = amountsToSign(side, BigInt(makerAmount), BigInt(takerAmount), grid, byBudget)
  const details = valid && {
    price: formatPrice(valid.price),
    makerAmount: String(valid.makerAmount),
    takerAmount: String(valid.takerAmount),
  }
  return new ServiceError(code, { values, extras: { orderID: orderId, orderId }, ...(details ? { details } : {}) })
}

/**
 * Price of a share as text, or whole USDC when it exceeds a safe integer. With twelve places: amounts that a client rounded otherwise than the
 * tick asks differ only far behind the point.
 */
function priceText(collateral: bigint, shares: bigint): string {
  const exact = (collateral * 10n ** 12n) / shares
  return exact > Number.MAX_SAFE_INTEGER ? String(exact / 10n ** 12n) : formatDecimal(Number(exact), 12)
}

/**
 * Who may be named as maker and signer: the account itself, or a contract wallet of that kind that it registered. The owner's key signs for
 * types 1 and 2 by name, for type 3 inside the wallet's own signature.
 */
function checkMaker(
  ctx: Context,
  { account }: Trader,
  { maker, signer, signatureType }: SignedBodyV1['order'] | SignedBodyV2['order'],
): void {
  const signs = signatureType === 3 ? maker : account
  if (signer !== signs || (signatureType === 0 && maker !== account)) throw new ServiceError('signer_mismatch')
  if (signatureType === 0) return
  const wallet = ctx.wallets.find(maker)
  if (!wallet) throw new ServiceError('proxy_wallet_missing')
  if (wallet.owner !== account || wallet.signatureType !== signatureType) throw new ServiceError('signer_mismatch')
}

/** Refuses a nonce, as orders are cancelled by their IDs here, and a signed fee rate below the market's. A rate of 0 is not a limit. */
function checkVersion1({ nonce, feeRateBps }: SignedBodyV1['order'], feeBps: number): void {
  if (nonce !== '0') throw new ServiceError('invalid_payload', { text: 'nonce must be 0' })
  if (feeRateBps !== '0' && BigInt(feeRateBps) < BigInt(feeBps))
    throw new ServiceError('invalid_payload', { text: `feeRateBps must be 0 or at least the market’s fee rate, ${feeBps}` })
}

/** The refusal of a new order whose signed timestamp lies outside the time for which ids are remembered; null when it lies within. */
export function signedTimeRefusal(ctx: Context, { order }: SignedBodyV1 | SignedBodyV2): ServiceError | null {
  if (!('timestamp' in order)) return null
  const age = ctx.venue.now() - Number(order.timestamp)
  if (age < DAY_MS && age >= -AHEAD_MS) return null
  return new ServiceError('invalid_payload', {
    text: 'the timestamp of the order, in Unix milliseconds, must lie within the last 24 hours',
  })
}

/** The signed fields alone: the body also carries `expiration` and `taker`. */
const withoutUnsigned = ({ expiration: _, taker: __, ...signed }: Omit<SignedBodyV2['order'], 'signature'>) => signed
