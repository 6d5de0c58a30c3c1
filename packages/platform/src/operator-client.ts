import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The wallet's key for operator work. 0 is left to people who try things out with the same wallet. */
const NONCE = 1n

/** The exchange as the deployment's own wallet speaks to it. */
export interface Operator {
  /** Address of the wallet: the creator of its conditions. */
  address: Hex
  exchange: VenueClient
}

/**
 * Creates the wallet's operator key, or gets the one that exists, and returns a client that signs with it. `publicUrl` is the address that
 * the exchange goes by, which the wallet names, where it is not `url`.
 */
export async function operatorClient({
  url,
  publicUrl = url,
  walletKey,
}: {
  url: string
  publicUrl?: string
  walletKey: Hex
}): Promise<Operator> {
  const wallet = privateKeyToAccount(walletKey)
  const apiKey = await createApiKey({ url, host: new URL(publicUrl).host, wallet, nonce: NONCE, scope: 'operator', name: 'platform' })
  return { address: wallet.address, exchange: venueClient({ url, apiKey }) }
}
