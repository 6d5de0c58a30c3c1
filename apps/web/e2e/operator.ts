import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { invalidate } from '@augury/platform/cache/generations'
import { openPlatform } from '@augury/platform/site/platform'
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

/** Closes a market and resolves it to Yes: holders of Yes can claim. */
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

/** Has the site know a price of a market (in steps) from ten minutes ago, as of a trade: its chart begins there. */
export async function priceBefore({ conditionId }: TestMarket, price: number): Promise<void> {
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    const point = `insert into price_point (market_condition_id, minute, price)
      values (?, date_trunc('minute', now(), 'UTC') - interval '10 minutes', ?) on conflict do nothing`
    await platform.em().execute(point, [conditionId, price])
    await platform.em().execute('update market set last_trade = ?, updated_at = now() where condition_id = ?', [price, conditionId])
    await invalidate(platform.em(), ['lists']) // the chart may have been read without it a moment ago
  } finally {
    await platform.close()
  }
}
