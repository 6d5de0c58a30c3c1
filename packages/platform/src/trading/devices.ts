import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Member } from '../authorization/viewer.ts'
import { hashOf, newToken } from '../crypto/token.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'

/** Most devices that may use a member's credentials at a time. */
const DEVICES = 5

/** Whether this device may use the member's credentials. */
export async function isKnownDevice(em: EntityManager, { id, visit }: Member): Promise<boolean> {
  if (visit.device === null) return false
  const known = await tables(em)
    .selectFrom('trading_context')
    .select('slot')
    .where('user_id', '=', id)
    .where('context_hash', '=', hashOf(visit.device))
    .execute()
  return known.length === 1
}

/** The devices that may use the member's credentials, latest first, and which of them is asking. */
export async function listDevices(site: Site, { id, visit }: Member): Promise<{ admittedAt: Date; current: boolean }[]> {
  const rows = await tables(site.em())
    .selectFrom('trading_context')
    .select(['created_at', 'context_hash'])
    .where('user_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('slot')
    .execute()
  const own = visit.device === null ? null : hashOf(visit.device)
  return rows.map(({ created_at, context_hash }) => ({ admittedAt: created_at, current: own?.equals(context_hash) === true }))
}

/**
 * Lets this device use the member's credentials. A new device gets an id of its own: a cookie in a browser, the returned value in a script.
 * Beyond the limit the oldest device is dropped. Call while the user's row is locked.
 */
export async function admitDevice(em: EntityManager, member: Member, now: Date): Promise<string | null> {
  if (await isKnownDevice(em, member)) return member.visit.isScript ? member.visit.device : null
  const taken = await tables(em)
    .selectFrom('trading_context')
    .select('slot')
    .where('user_id', '=', member.id)
    .orderBy('created_at')
    .orderBy('slot')
    .execute()
  const free = Array.from({ length: DEVICES }, (_, slot) => slot).find((slot) => !taken.some((each) => each.slot === slot))
  const mark = newToken()
  const admitted = { context_hash: hashOf(mark), created_at: now }
  await tables(em)
    .insertInto('trading_context')
    .values({ user_id: member.id, slot: free ?? taken[0]!.slot, ...admitted })
    .onConflict((conflict) => conflict.columns(['user_id', 'slot']).doUpdateSet(admitted))
    .execute()
  await notify(em, member.id, {
    source: `new_device:${hashOf(mark).toString('hex').slice(0, 32)}`,
    category: 'system',
    kind: free === undefined ? 'device_replaced' : 'device_enabled',
    title: 'Trading was enabled on a new device',
    description:
      free === undefined
        ? 'You had five devices already: the one that was enabled first can no longer trade. If this was not you, disable trading and end your other sessions.'
        : 'If this was not you, disable trading and end your other sessions.',
    metadata: { client_address: member.visit.clientAddress, user_agent: member.visit.userAgent, evicted: free === undefined },
    link: { type: 'settings', target: 'trading' },
    at: now,
  })
  if (member.visit.isScript) return mark
  member.visit.leave('context', mark)
  return null
}
