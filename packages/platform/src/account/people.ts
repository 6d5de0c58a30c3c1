import { anyOf, tables } from '@augury/domain/platform/tables'
import { getAddress, type Hex } from 'viem'
import type { Platform } from '../site/platform.ts'

/** The public profile of an address. */
export interface Person {
  /** The address: internal ids of members stay internal. */
  id: string
  username: string | null
  address: Hex
  proxy_wallet_address: string
  image: string
  created_at: string | null
}

/** Loads the profiles of some addresses. The returned function answers for any address: one that is no member's has nothing but itself. */
export async function loadPeople(platform: Platform, addresses: Iterable<string>): Promise<(address: string) => Person> {
  const asked = [...new Set([...addresses].map((address) => address.toLowerCase()))]
  const rows =
    asked.length === 0
      ? []
      : await tables(platform.em())
          .selectFrom('users')
          .select(['address', 'proxy_wallet_address', 'username', 'image_url', 'created_at'])
          .where('banned_at', 'is', null)
          .where('address', '=', anyOf(asked))
          .execute()
  const known = new Map(rows.map((row) => [row.address, row]))
  return (text) => {
    const address = getAddress(text)
    const row = known.get(text.toLowerCase())
    return {
      id: address,
      username: row?.username ?? null,
      address,
      proxy_wallet_address: row?.proxy_wallet_address ? getAddress(row.proxy_wallet_address) : '',
      image: row?.image_url ?? '',
      created_at: row ? new Date(row.created_at).toISOString() : null,
    }
  }
}
