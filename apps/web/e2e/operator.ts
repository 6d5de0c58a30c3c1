import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { webSettings } from '@augury/settings/env'
import { ONE } from '@augury/units/price'
import { privateKeyToAccount } from 'viem/accounts'
import type { TestMarket } from './trader.ts'

/** The exchange as the operator of the markets speaks to it. */
async function operator(): Promise<VenueClient> {
  const { clobUrl: url, platformWalletKey } = webSettings()
  const apiKey = await createApiKey({ url, wallet: privateKeyToAccount(platformWalletKey), nonce: 7n, scope: 'operator', name: 'journey' })
  return venueClient({ url, apiKey })
}

/** Ends the trade of a market and says that Yes happened: whoever holds it can claim. */
export async function resolveYes({ conditionId }: TestMarket): Promise<void> {
  const exchange = await operator()
  const params = { id: conditionId }
  await exchange.closeCondition({ params })
  await exchange.resolveCondition({ params, body: { weights: [ONE, 0] } })
}
