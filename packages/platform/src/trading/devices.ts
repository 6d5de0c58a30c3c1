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
  const known = await em.execute('select from trading_context where user_id = ? and context_hash = ?', [id, hashOf(visit.device)])
  return known.length === 1
}

/** The devices that may use the member's credentials, latest first, and which of them is asking. */
export async function listDevices(site: Site, { id, visit }: Member): Promise<{ admittedAt: Date; current: boolean }[]> {
  const rows: { created_at: Date; context_hash: Buffer }[] = await site
    .em()
    .execute('select created_at, context_hash from trading_context where user_id = ? order by created_at desc, slot', [id])
  const own = visit.device === null ? null : hashOf(visit.device)
  return rows.map(({ created_at, context_hash }) => ({
    admittedAt: new Date(created_at),
    current: own?.equals(Buffer.from(context_hash)) === true,
  }))
}

/**
 * Lets this device use the member's credentials. A new device gets an id of its own: a cookie in a browser, the returned value in a script.
 * Beyond the limit the oldest device is dropped. Call while the user's row is locked.
 */
export async function admitDevice(em: EntityManager, member: Member, now: Date): Promise<string | null> {
  if (await isKnownDevice(em, member)) return member.visit.isScript ? member.visit.device : null
  const taken: { slot: number }[] = await em.execute('select slot from trading_context where user_id = ? order by created_at, slot', [
    member.id,
  ])
  const free = Array.from({ length: DEVICES }, (_, slot) => slot).find((slot) => !taken.some((each) => each.slot === slot))
  const mark = newToken()
  await em.execute(
    `insert into trading_context (user_id, slot, context_hash, created_at) values (?, ?, ?, ?)
     on conflict (user_id, slot) do update set context_hash = excluded.context_hash, created_at = excluded.created_at`,
    [member.id, free ?? taken[0]!.slot, hashOf(mark), now],
  )
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
