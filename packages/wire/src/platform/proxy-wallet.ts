import { z } from 'zod'
import { operation } from '../operation.ts'
import { checksumAddress, signature65 } from '../scalars.ts'

/**
 * A member's contract wallet. Its address is known before it is deployed, which the states lead to: signed, being deployed, deployed. `chain_id`
 * and `factory` are those of the typed data `CreateProxy` that the member signs.
 */
export const proxyWallet = z.object({
  proxy_wallet_address: checksumAddress,
  proxy_wallet_status: z.enum(['not_started', 'signed', 'deploying', 'deployed']),
  proxy_wallet_signed_at: z.iso.datetime().nullable(),
  proxy_wallet_tx_hash: z.string().nullable(),
  chain_id: z.int(),
  factory: checksumAddress,
})

/** A member's proxy wallet. */
export const proxyWalletOperations = {
  getProxyWallet: operation({
    method: 'GET',
    path: '/api/proxy-wallet',
    auth: 'member',
    summary: 'The member’s proxy wallet: its address, and how far it is.',
    output: proxyWallet,
    refusals: [],
    repeatable: true,
  }),
  signProxyWallet: operation({
    method: 'POST',
    path: '/api/proxy-wallet',
    auth: 'member',
    budget: 'credentials',
    summary: 'Has the member’s proxy wallet made, by the wallet’s signature of `CreateProxy`.',
    body: z.strictObject({ signature: signature65 }),
    output: proxyWallet,
    refusals: ['bad_proxy_signature'],
    repeatable: true,
  }),
} as const
