import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
import { privateKeyToAccount } from 'viem/accounts'

/** The exchange as the operator of the markets speaks to it. */
export async function operator(): Promise<VenueClient> {
  const { clobUrl: url, platformWalletKey } = webSettings()
  const apiKey = await createApiKey({ url, wallet: privateKeyToAccount(platformWalletKey), nonce: 7n, scope: 'operator', name: 'journey' })
  return venueClient({ url, apiKey })
}
