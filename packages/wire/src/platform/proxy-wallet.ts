import { z } from 'zod'
import { operation } from '../operation.ts'
import { checksumAddress, signature65 } from '../scalars.ts'

/**
 * A member's proxy wallet: a Safe of the member alone, another address of the account, which the exchange may require for orders. It is not the
 * deposit address. Once the member has `signed`, the exchange registers it. With `SETTLEMENT=chain` it is then `deploying`, and `deployed` once code
 * was seen at the address; `proxy_wallet_tx_hash` is what deployed it. Send nothing to it before: without a chain it stays `signed`. `chain_id` and
 * `factory` are those of the typed data `CreateProxy` that the member signs.
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
    summary: 'The member’s proxy wallet: its address, and whether the member has signed for it.',
    output: proxyWallet,
    refusals: [],
    repeatable: true,
  }),
  signProxyWallet: operation({
    method: 'POST',
    path: '/api/proxy-wallet',
    auth: 'member',
    budget: 'credentials',
    summary: 'Registers the member’s proxy wallet at the exchange, by the wallet’s signature of `CreateProxy`.',
    body: z.strictObject({ signature: signature65 }),
    output: proxyWallet,
    refusals: ['bad_proxy_signature'],
    repeatable: true,
  }),
} as const
