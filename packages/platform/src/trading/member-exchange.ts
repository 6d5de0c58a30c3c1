import type { VenueClient } from '@augury/client/rest'
import { ServiceError } from '@augury/wire/service-error'
import type { Member } from '../authorization/viewer.ts'
import { asRefusal, isRevoked } from '../exchange/exchange-refusals.ts'
import { markBroken, usableCredentials } from '../identity/stored-credentials.ts'
import type { Site } from '../site/site.ts'

/**
 * Calls the exchange as a member, signed with the stored credentials. Throws `trading_not_enabled` where this device may not use them or
 * the exchange no longer accepts them, and whatever the exchange refuses. `changes`: the call changes something, so a lost answer is an
 * `outcome_unknown`.
 */
export async function asMember<Answer>(
  site: Site,
  member: Member,
  ask: (exchange: VenueClient) => Promise<Answer>,
  { changes = false } = {},
): Promise<Answer> {
  const apiKey = await usableCredentials(site, member)
  if (!apiKey) throw new ServiceError('trading_not_enabled')
  try {
    return await ask(site.exchange.as(apiKey))
  } catch (error) {
    if (!isRevoked(error)) throw asRefusal(error, changes)
    await markBroken(site, member, apiKey.key)
    throw new ServiceError('trading_not_enabled', { cause: error })
  }
}
