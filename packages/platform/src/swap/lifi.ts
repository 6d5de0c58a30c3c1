import { address, uint256 } from '@augury/wire/scalars'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { z } from 'zod'

import { fetchOutside, OutboundError } from '../outbound/fetch-outside.ts'
import { plain } from '../outbound/plain-text.ts'
import { COIN_FEES, SWAP_CHAINS } from './swap-chains.ts'
import type { SwapProvider, SwapWish } from './swap-provider.ts'

/** How long the service may search for a route, in milliseconds, and how long its answer may be, in bytes. */
const TIMEOUT_MS = 10_000
const MAX_BYTES = 512 * 1024

/** Rate limits of the service: per address without a key, per key with one. */
const LIMITS = { open: { questions: 200, seconds: 7200 }, keyed: { questions: 200, seconds: 60 } } as const

/** How the deployment identifies itself to the service. */
export interface LifiAccount {
  /** Base URL of the API. */
  url: string
  integrator: string
  apiKey: string | null
  /** The exchange's chain, where the money is to arrive. */
  toChain: number
  /** Whether plain http and loopback addresses are allowed: for sandboxes. */
  loopback: boolean
}

const costs = z.array(z.object({ amountUSD: z.coerce.number().min(0).nullish() })).nullish()
const token = z.object({ address, chainId: z.int(), symbol: z.string(), decimals: z.int().min(0).max(77) })
/** Numbers in transactions are encoded in hex. */
const quantity = z.union([uint256, z.string().regex(/^0x[0-9a-f]{1,64}$/i)]).transform((text) => BigInt(text).toString())

const answer = z.object({
  tool: z.string(),
  toolDetails: z.object({ name: z.string() }).nullish(),
  action: z.object({ fromToken: token, toToken: token, fromAmount: uint256, fromChainId: z.int(), toChainId: z.int(), toAddress: address }),
  estimate: z.object({
    toAmount: uint256,
    toAmountMin: uint256,
    approvalAddress: address.nullish(),
    executionDuration: z.number().min(0).max(1e7).nullish(),
    feeCosts: costs,
    gasCosts: costs,
  }),
  transactionRequest: z.object({
    to: address,
    chainId: z.int(),
    data: z
      .string()
      .toLowerCase()
      .regex(/^0x([0-9a-f]{2})*$/),
    value: quantity.default('0'),
  }),
})
type Answer = z.output<typeof answer>

/** The service LI.FI, or one with the same API. */
export function lifi({ url, integrator, apiKey, toChain, loopback }: LifiAccount): SwapProvider {
  const base = url.replace(/\/+$/, '')
  return {
    limit: apiKey === null ? LIMITS.open : LIMITS.keyed,
    async quote(wish) {
      const asked = new URLSearchParams({
        fromChain: String(wish.chain),
        toChain: String(toChain),
        fromToken: wish.token,
        toToken: 'USDC',
        fromAmount: wish.amount,
        fromAddress: wish.from,
        toAddress: wish.to,
        integrator,
      })
      const { status, body } = await get(`${base}/quote?${asked}`, apiKey, loopback)
      if (status === 404) throw new ServiceError('swap_no_route')
      if (status === 429) throw new ServiceError('rate_limited', { retryAfter: 60 })
      const parsed = answer.safeParse(status === 200 ? jsonIn(body) : null)
      if (!parsed.success) throw failed(status === 200 ? 'it answered something else' : `it answered ${status}`)
      requireMeant(parsed.data, wish, toChain)
      return shown(parsed.data)
    },
  }
}

/** Rejects a quote for another amount, token, chain or recipient than was asked for. */
function requireMeant({ action, estimate, transactionRequest }: Answer, wish: SwapWish, toChain: number): void {
  const meant =
    action.fromChainId === wish.chain &&
    action.fromToken.chainId === wish.chain &&
    transactionRequest.chainId === wish.chain &&
    isAddressEqual(action.fromToken.address, wish.token) &&
    action.fromAmount === wish.amount &&
    action.toChainId === toChain &&
    action.toToken.chainId === toChain &&
    isUsdc(action.toToken, toChain) &&
    isAddressEqual(action.toAddress, wish.to) &&
    BigInt(estimate.toAmount) > 0n &&
    BigInt(estimate.toAmountMin) <= BigInt(estimate.toAmount) &&
    // A service may allow a tenth of slippage; anything beyond that is what a man in the middle would take.
    BigInt(estimate.toAmountMin) * 10n >= BigInt(estimate.toAmount) * 9n &&
    isCoinMeant(BigInt(transactionRequest.value), wish)
  if (!meant) throw failed('it answered another question')
}

/**
 * Whether the native coin sent with the transaction is the amount itself, where that coin is what is swapped, plus no more than bridges
 * charge.
 */
function isCoinMeant(value: bigint, { chain, token: brought, amount }: SwapWish): boolean {
  const own = isAddressEqual(brought, zeroAddress) ? BigInt(amount) : 0n
  const coin = SWAP_CHAINS.find(({ id }) => id === chain)?.tokens.find((each) => isAddressEqual(each.address, zeroAddress))
  return value >= own && value <= own + (COIN_FEES[coin?.symbol ?? ''] ?? 0n)
}

/** Whether a token is the one that the exchange credits: by address where that is known, otherwise by the symbol that was asked for. */
function isUsdc({ address: given, symbol }: Answer['action']['toToken'], chain: number): boolean {
  const known = SWAP_CHAINS.find(({ id }) => id === chain)?.tokens.find((each) => each.symbol === 'USDC')
  return known ? isAddressEqual(given, known.address as Hex) : symbol === 'USDC'
}

function shown({ tool, toolDetails, action, estimate, transactionRequest }: Answer): Awaited<ReturnType<SwapProvider['quote']>> {
  const { address: to, chainId, symbol, decimals } = action.toToken
  const fees = [...(estimate.feeCosts ?? []), ...(estimate.gasCosts ?? [])].flatMap(({ amountUSD }) => amountUSD ?? [])
  const coin = isAddressEqual(action.fromToken.address, zeroAddress)
  return {
    tool: plain(toolDetails?.name || tool, 80),
    to: {
      address: getAddress(to),
      chain_id: chainId,
      symbol: plain(symbol, 20),
      decimals,
      amount: estimate.toAmount,
      least: estimate.toAmountMin,
    },
    fees_usd: fees.length > 0 ? Math.round(fees.reduce((sum, fee) => sum + fee, 0) * 100) / 100 : null,
    seconds: estimate.executionDuration == null ? null : Math.ceil(estimate.executionDuration),
    approve: coin || !estimate.approvalAddress ? null : getAddress(estimate.approvalAddress),
    transaction: {
      chain_id: transactionRequest.chainId,
      to: getAddress(transactionRequest.to),
      data: transactionRequest.data,
      value: transactionRequest.value,
    },
  }
}

async function get(url: string, apiKey: string | null, loopback: boolean): Promise<{ status: number; body: string }> {
  try {
    return await fetchOutside(
      url,
      { hosts: [new URL(url).host], loopback },
      { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, headers: apiKey === null ? {} : { 'x-lifi-api-key': apiKey } },
    )
  } catch (error) {
    if (error instanceof OutboundError) throw failed(error.message)
    throw error
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const failed = (reason: string) => new ServiceError('swap_failed', { details: { reason } })
