import { z } from 'zod'
import { venueOperation } from '../operation.ts'
import { address, checksumAddress, signature65 } from '../scalars.ts'

const wallet = z.object({
  address: checksumAddress,
  owner: checksumAddress,
  signature_type: z.union([z.literal(1), z.literal(2), z.literal(3)]),
})
const kind = z.enum(['1', '2', '3']).transform((text) => Number(text) as 1 | 2 | 3)

export const walletOperations = {
  registerWallet: venueOperation({
    method: 'POST',
    path: '/auth/wallets/{address}/{signature_type}',
    auth: 'wallet',
    summary: 'Make a contract wallet another name of your account, so that orders of signature types 1 to 3 may name it.',
    params: z.object({ address, signature_type: kind }),
    output: wallet,
    refusals: ['wallet_taken', 'too_many_wallets', 'insufficient_scope', 'rate_limited'],
    repeatable: true,
    cost: 'write',
    shed: 'ordinary',
    rateLimit: { budget: 'keys', of: 'address' },
  }),
  relayWallet: venueOperation({
    method: 'POST',
    path: '/operator/wallets',
    auth: 'operator',
    summary: 'Hand on what an owner signed (`CreateProxy`) to have a proxy wallet: its address follows from the owner’s.',
    body: z.strictObject({ owner: address, signature: signature65 }),
    output: wallet,
    refusals: ['bad_proxy_signature', 'wallet_taken', 'too_many_wallets'],
    repeatable: true,
    cost: 'write',
    shed: 'ordinary',
  }),
  listWallets: venueOperation({
    method: 'GET',
    path: '/auth/wallets',
    auth: 'read',
    summary: 'Your registered contract wallets.',
    output: z.object({ wallets: z.array(wallet) }),
    refusals: [],
    repeatable: true,
    cost: 'look-up',
    shed: 'ordinary',
  }),
}
