import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminUserOperations } from '@augury/wire/platform/admin-users'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Admin } from '../authorization/viewer.ts'
import { saveSettings } from '../settings/manage-settings.ts'
import { shownCreators } from '../settings/shown-creators.ts'
import { readSettings } from '../settings/site-settings.ts'
import type { Site } from '../site/site.ts'

/** Wallets whose markets this site shows: those of the settings, or else the deployment's own. */
export async function allowedCreators(
  site: Site,
  { query }: { query: { address?: string | undefined } },
): Promise<Output<typeof adminUserOperations.adminAllowedCreators>> {
  const own = site.exchange.operatorAddress.toLowerCase()
  const addresses = [...(await shownCreators(site.em(), own))]
  const rows = await tables(site.em())
    .selectFrom('event')
    .select(['creator', sql<number>`count(*)::int`.as('events')])
    .groupBy('creator')
    .execute()
  const items = addresses.map((address) => ({
    address: getAddress(address as Hex),
    own: address === own,
    events: rows.find(({ creator }) => creator === address)?.events ?? 0,
  }))
  return { items, wallets: items.map(({ address }) => address), allowed: addresses.includes((query.address ?? own).toLowerCase()) }
}

/** Adds a creator whose markets are shown. */
export const allowCreator = (site: Site, admin: Admin, { body }: { body: { address: Hex } }): Promise<{ success: true }> =>
  change(site, admin, (creators) => {
    const shown = creators.length > 0 ? creators : [site.exchange.operatorAddress.toLowerCase() as Hex]
    return [...new Set([...shown, body.address])]
  })

/** Removes a creator: no more of its markets are added. */
export const disallowCreator = (site: Site, admin: Admin, { body }: { body: { address: Hex } }): Promise<{ success: true }> =>
  change(site, admin, (creators) => creators.filter((address) => address !== body.address))

async function change(site: Site, admin: Admin, to: (creators: Hex[]) => Hex[]): Promise<{ success: true }> {
  const { version, values } = (await readSettings(site.em(), ['general'])).general
  await saveSettings(site, admin, 'general', { version, marketCreators: to(values.marketCreators) })
  return { success: true }
}
