import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { address, checksumAddress, uint256 } from '../scalars.ts'

/** A token of a chain. `address` is zero for the chain's own coin; amounts are counted in 10^-decimals of it. */
const token = z.object({ address: checksumAddress, symbol: z.string(), decimals: z.int().min(0).max(77) })

/** What money may come from, while the operator has named an integrator; else `enabled` is false and there is nothing to choose. */
export const swapOffer = z.object({
  enabled: z.boolean(),
  chains: z.array(z.object({ id: z.int(), name: z.string(), tokens: z.array(token) })),
})

/** What a service would do: amounts in the smallest units of their tokens, as decimal text. It holds for a short while only. */
export const swapQuote = z.object({
  /** Who carries it out, in the service's words: plain text of a stranger. */
  tool: z.string(),
  from: token.extend({ chain_id: z.int(), amount: uint256 }),
  /** `amount` is what is expected; less than `least` does not happen: the transaction fails instead. */
  to: token.extend({ chain_id: z.int(), amount: uint256, least: uint256 }),
  /** Where it arrives: the member's own proxy wallet. */
  to_address: checksumAddress,
  /** US dollars, where the service says so. */
  fees_usd: z.number().min(0).nullable(),
  seconds: z.int().min(0).nullable(),
  /** Whom the token has to be released to first; null for a coin. */
  approve: checksumAddress.nullable(),
  /** What the member's wallet would be asked to send; the member sees and signs it there. */
  transaction: z.object({
    chain_id: z.int(),
    to: checksumAddress,
    data: z.string().regex(/^0x([0-9a-f]{2})*$/),
    value: uint256,
  }),
})

/** Money from other chains and tokens, by the service that the operator chose: over tRPC only. */
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
    summary: 'What an amount of a token would bring as USDC in the member’s proxy wallet, and the transaction that does it.',
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
