import { getAddress, isAddress } from 'viem'
import type { Platform } from '../site/platform.ts'
import { loadPeople, type Person } from './people.ts'

/** The person with a username (ignoring case) or an address. Null for an unknown name; an address need not be a member's. */
export async function findPerson(platform: Platform, name: string): Promise<Person | null> {
  if (isAddress(name, { strict: false })) return (await loadPeople(platform, [name]))(getAddress(name))
  const [row]: { address: string }[] = await platform
    .em()
    .execute('select address from users where lower(username) = lower(?) and banned_at is null', [name])
  return row ? (await loadPeople(platform, [row.address]))(row.address) : null
}
