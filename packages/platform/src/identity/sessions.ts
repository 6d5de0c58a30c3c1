import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Member, prove } from '../authorization/viewer.ts'
import type { Visit } from '../authorization/visit.ts'
import { hashOf, newToken } from '../crypto/token.ts'
import type { Site } from '../site/site.ts'

const DAY = 86_400_000
/** Milliseconds after which a session ends: since its start, and since its last use. */
export const SESSION_LIFE = 30 * DAY
export const SESSION_IDLE = 7 * DAY
/** Milliseconds to which the last use is accurate. */
const SEEN_STEP = 300_000

/** The session token of a request: the bearer token, or else the cookie. It may not be valid. */
export const presentedToken = (visit: Visit, authorization: string | undefined): string | null =>
  authorization === undefined ? visit.cookie('session') : (/^Bearer ([\w-]{43})$/i.exec(authorization)?.[1] ?? null)

/** The member of a session token, or null. Read from the database every time, so that an ended session ends at once. */
export async function readSession(site: Site, token: string, visit: Visit): Promise<Member | null> {
  const now = site.now()
  const row = await site.sessionReads.find(hashOf(token), new Date(now.getTime() - SESSION_LIFE), new Date(now.getTime() - SESSION_IDLE))
  if (!row) return null
  if (now.getTime() - row.last_seen_at.getTime() > SEEN_STEP)
    await tables(site.em())
      .updateTable('session')
      .set({ last_seen_at: now })
      .where('id', '=', row.id)
      .where('last_seen_at', '<', now)
      .execute()
  return prove({
    id: row.user_id,
    address: row.address,
    isAdmin: row.listed || site.settings.adminWallets.includes(row.address),
    banned: row.banned,
    twoFactor: row.two_factor,
    session: row.id,
    provenAt: row.proven_at,
    visit,
  })
}

/** Starts a session of a user who was just verified, sets its cookie and returns its token. */
export async function startSession(em: EntityManager, userId: string, visit: Visit, now: Date): Promise<string> {
  const token = newToken()
  const [born, seen] = [new Date(now.getTime() - SESSION_LIFE), new Date(now.getTime() - SESSION_IDLE)]
  await tables(em)
    .with('swept', (query) =>
      query
        .deleteFrom('session')
        .where('user_id', '=', userId)
        .where((eb) => eb.or([eb('created_at', '<=', born), eb('last_seen_at', '<=', seen)])),
    )
    .insertInto('session')
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      proven_at: now,
      user_agent: visit.userAgent,
      client_address: visit.clientAddress,
    })
    .execute()
  visit.leave('session', token)
  return token
}

/** Ends a session of a user; false when there is none. */
export async function endSession(em: EntityManager, userId: string, session: string): Promise<boolean> {
  const ended = await tables(em).deleteFrom('session').where('id', '=', session).where('user_id', '=', userId).returning('id').execute()
  return ended.length > 0
}

/** Ends every session of a user but one. Returns how many. */
export async function endOtherSessions(em: EntityManager, userId: string, kept: string): Promise<number> {
  const ended = await tables(em).deleteFrom('session').where('user_id', '=', userId).where('id', '<>', kept).returning('id').execute()
  return ended.length
}

/**
 * Renews a session after a fresh proof: it gets a new token, and the old one becomes useless. Null when the session has ended. One that began
 * by a clock that was ahead counts as seen when it began.
 */
export async function renewSession(em: EntityManager, member: Member, now: Date): Promise<string | null> {
  const token = newToken()
  const renewed = await tables(em)
    .updateTable('session')
    .set((eb) => ({ token_hash: hashOf(token), proven_at: now, last_seen_at: eb.fn('greatest', [eb.val(now), 'created_at']) }))
    .where('id', '=', member.session)
    .where('user_id', '=', member.id)
    .returning('id')
    .execute()
  if (renewed.length === 0) return null
  member.visit.leave('session', token)
  return token
}
