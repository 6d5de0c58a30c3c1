import { listApiKeys } from '@augury/platform/trading/api-keys'
import { getTradingCredentials } from '@augury/platform/trading/manage-credentials'
import { ServiceError } from '@augury/wire/service-error'
import { nullIfAway } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { settings, site, viewer } }) => {
  const here = { exchange: settings.publicClobUrl, now: site.now().getTime(), siteNonce: '0' }
  if (viewer.kind !== 'member') return { ...here, keys: null, away: false }
  const [keys, { login }] = await Promise.all([
    // Refused if trading is not enabled on this device, which the page explains.
    nullIfAway(
      listApiKeys(site, viewer).catch((error) => {
        if (error instanceof ServiceError && error.code === 'trading_not_enabled') return 'not enabled' as const
        throw error
      }),
    ),
    getTradingCredentials(site, viewer),
  ])
  return { ...here, keys: keys === 'not enabled' ? null : keys, away: keys === null, siteNonce: login.nonce }
}
