import type { PublicUser } from '@augury/wire/platform/user'
import { getAddress } from 'viem'
import type { Platform } from '../site/platform.ts'

const MOST = 10
/** Shorter texts match nearly everybody. */
const SHORTEST = 2

interface Row {
  address: string
  proxy_wallet_address: string | null
  username: string | null
  image_url: string
  created_at: Date
}

/** Public profiles of members whose name or address contains a text; names that begin with it come first. */
export async function searchUsers(platform: Platform, search: string): Promise<PublicUser[]> {
  const text = search.trim().toLowerCase()
  if (text.length < SHORTEST) return []
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  const rows: Row[] = await platform.em().execute(
    `select address, proxy_wallet_address, username, image_url, created_at from users
     where banned_at is null and (username ilike ? or address like ?)
     order by coalesce(username ilike ?, false) desc, length(username), username, address limit ?`,
    [`%${escaped}%`, `%${escaped}%`, `${escaped}%`, MOST],
  )
  return rows.map(({ address, proxy_wallet_address, username, image_url, created_at }) => ({
    address: getAddress(address),
    proxy_wallet_address: proxy_wallet_address ? getAddress(proxy_wallet_address) : '',
    username,
    image: image_url,
    created_at: new Date(created_at).toISOString(),
  }))
}
