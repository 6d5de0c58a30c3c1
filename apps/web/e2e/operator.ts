import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { openPlatform } from '@augury/platform/platform'
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

/** Sets when a market ends, on the exchange and on the site, as its next round with the exchange would. */
export async function endAt({ conditionId }: TestMarket, at: Date): Promise<void> {
  await (await operator()).patchCondition({ params: { id: conditionId }, body: { end_time: at.toISOString() } })
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    await platform.em().execute('update market set end_time = ?, updated_at = now() where condition_id = ?', [at, conditionId])
  } finally {
    await platform.close()
  }
}
