import { tables } from '@augury/domain/platform/tables'
import type { PublicUser } from '@augury/wire/platform/user'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import type { Platform } from '../site/platform.ts'

const MOST = 10
/** Shorter texts match nearly everybody. */
const SHORTEST = 2

/** Public profiles of members whose name or address contains a text; names that begin with it come first. */
export async function searchUsers(platform: Platform, search: string): Promise<PublicUser[]> {
  const text = search.trim().toLowerCase()
  if (text.length < SHORTEST) return []
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  const rows = await tables(platform.em())
    .selectFrom('users')
    .select(['address', 'proxy_wallet_address', 'username', 'image_url', 'created_at'])
    .where('banned_at', 'is', null)
    .where((eb) => eb.or([eb('username', 'ilike', `%${escaped}%`), eb('address', 'like', `%${escaped}%`)]))
    .orderBy((eb) => eb.fn.coalesce(eb('username', 'ilike', `${escaped}%`), sql.lit(false)), 'desc')
    .orderBy((eb) => eb.fn('length', ['username']))
    .orderBy('username')
    .orderBy('address')
    .limit(MOST)
    .execute()
  return rows.map(({ address, proxy_wallet_address, username, image_url, created_at }) => ({
    address: getAddress(address),
    proxy_wallet_address: proxy_wallet_address ? getAddress(proxy_wallet_address) : '',
    username,
    image: image_url,
    created_at: new Date(created_at).toISOString(),
  }))
}
