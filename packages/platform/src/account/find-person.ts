import { getAddress, isAddress } from 'viem'
import { type Person, peopleBehind } from '../activity/people.ts'
import type { Platform } from '../platform.ts'

/** Whoever is behind a name, in any case, or an address. Null for a name that nobody has; an address is somebody also when no member. */
export async function findPerson(platform: Platform, name: string): Promise<Person | null> {
  if (isAddress(name, { strict: false })) return (await peopleBehind(platform, [name]))(getAddress(name))
  const [row]: { address: string }[] = await platform
    .em()
    .execute('select address from users where lower(username) = lower(?) and banned_at is null', [name])
  return row ? (await peopleBehind(platform, [row.address]))(row.address) : null
}
