import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { address, checksumAddress, uint256 } from '../scalars.ts'

/** A token of a chain. `address` is zero for the chain's native coin; amounts are in units of 10^-decimals. */
const token = z.object({ address: checksumAddress, symbol: z.string(), decimals: z.int().min(0).max(77) })

/** Chains and tokens to deposit from. `enabled` is false and the lists are empty unless the operator has set an integrator. */
export const swapOffer = z.object({
  enabled: z.boolean(),
  chains: z.array(z.object({ id: z.int(), name: z.string(), tokens: z.array(token) })),
})

/** A quote of the provider, valid for a short time. Amounts in the smallest units of their tokens, as decimal text. */
export const swapQuote = z.object({
  /** Name of the executing service, from the provider: untrusted plain text. */
  tool: z.string(),
  from: token.extend({ chain_id: z.int(), amount: uint256 }),
  /** `amount` is expected; below `least` the transaction fails. */
  to: token.extend({ chain_id: z.int(), amount: uint256, least: uint256 }),
  /** The destination: the wallet that the member signs in with. */
  to_address: checksumAddress,
  /** US dollars, if known. */
  fees_usd: z.number().min(0).nullable(),
  seconds: z.int().min(0).nullable(),
  /** The spender to approve first; null for a native coin. */
  approve: checksumAddress.nullable(),
  /** The transaction for the member's wallet to sign and send. */
  transaction: z.object({
    chain_id: z.int(),
    to: checksumAddress,
    data: z.string().regex(/^0x([0-9a-f]{2})*$/),
    value: uint256,
  }),
})

/** Deposits from other chains and tokens, through the operator's provider; tRPC only. */
export const swapOperations = {
  'swap.offer': operation({
    method: 'GET',
    path: '/trpc/swap.offer',
    auth: 'public',
    summary: 'Chains and tokens from which money can be brought; nothing while the operator has set up no service.',
    output: swapOffer,
    refusals: [],
    repeatable: true,
  }),
  'swap.quote': operation({
    method: 'GET',
    path: '/trpc/swap.quote',
    auth: 'member',
    budget: 'swapQuotes',
    summary: 'What an amount of a token would bring as USDC in the member’s own wallet, and the transaction that does it.',
    query: publicQuery({
      from_chain: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
      from_token: address,
      /** In the smallest units of the token. */
      amount: uint256.refine((text) => text !== '0', 'expected more than nothing'),
    }),
    output: swapQuote,
    refusals: ['swap_missing', 'swap_token_unknown', 'swap_no_route', 'swap_failed'],
    repeatable: true,
  }),
} as const

export type SwapOffer = z.output<typeof swapOffer>
export type SwapQuote = z.output<typeof swapQuote>
