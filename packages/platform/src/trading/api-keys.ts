import type { ListedKey } from '@augury/wire/credentials'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { asMember } from './member-exchange.ts'

/** The live API keys of the member's wallet at the exchange. Throws `trading_not_enabled` where this device may not use the credentials. */
export const listApiKeys = async (site: Site, member: Member): Promise<ListedKey[]> =>
  (await asMember(site, member, (exchange) => exchange.listKeys())).keys
