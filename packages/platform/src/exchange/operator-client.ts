import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import type { ClientOptions } from '@augury/client/transport'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Nonce of the wallet's key for operator work; 0 stays free for people who try things out with the same wallet. */
const NONCE = 1n

/** A client of the exchange that signs as the deployment's own wallet. */
export interface Operator {
  /** Address of the wallet: the creator of its conditions. */
  address: Hex
  exchange: VenueClient
}

/**
 * Creates or gets the wallet's operator key, and returns a client that signs with it. `publicUrl` is the public address of the exchange,
 * which the login names, when it differs from `url`.
 */
export async function operatorClient({
  url,
  publicUrl = url,
  walletKey,
  ...how
}: {
  url: string
  publicUrl?: string
  walletKey: Hex
} & Pick<ClientOptions, 'fetch' | 'timeoutMs' | 'retry'>): Promise<Operator> {
  const wallet = privateKeyToAccount(walletKey)
  const apiKey = await createApiKey({
    ...how,
    url,
    host: new URL(publicUrl).host,
    wallet,
    nonce: NONCE,
    scope: 'operator',
    name: 'platform',
  })
  return { address: wallet.address, exchange: venueClient({ ...how, url, apiKey }) }
}
