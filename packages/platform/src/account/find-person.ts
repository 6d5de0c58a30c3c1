import { tables } from '@augury/domain/platform/tables'
import { getAddress, isAddress } from 'viem'
import type { Platform } from '../site/platform.ts'
import { loadPeople, type Person } from './people.ts'

/** The person with a username (ignoring case) or an address. Null for an unknown name; an address need not be a member's. */
export async function findPerson(platform: Platform, name: string): Promise<Person | null> {
  if (isAddress(name, { strict: false })) return (await loadPeople(platform, [name]))(getAddress(name))
  const row = await tables(platform.em())
    .selectFrom('users')
    .select('address')
    .where((eb) => eb(eb.fn('lower', ['username']), '=', eb.fn('lower', [eb.val(name)])))
    .where('banned_at', 'is', null)
    .executeTakeFirst()
  return row ? (await loadPeople(platform, [row.address]))(row.address) : null
}
