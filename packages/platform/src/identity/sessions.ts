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
    await site.em().execute('update session set last_seen_at = ? where id = ? and last_seen_at < ?', [now, row.id, now])
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
  await em.execute(
    `with swept as (delete from session where user_id = ? and (created_at <= ? or last_seen_at <= ?))
     insert into session (token_hash, user_id, created_at, last_seen_at, proven_at, user_agent, client_address) values (?, ?, ?, ?, ?, ?, ?)`,
    [userId, born, seen, hashOf(token), userId, now, now, now, visit.userAgent, visit.clientAddress],
  )
  visit.leave('session', token)
  return token
}

/** Ends a session of a user; false when there is none. */
export async function endSession(em: EntityManager, userId: string, session: string): Promise<boolean> {
  const ended = await em.execute('delete from session where id = ? and user_id = ? returning id', [session, userId])
  return ended.length > 0
}

/** Ends every session of a user but one. Returns how many. */
export async function endOtherSessions(em: EntityManager, userId: string, kept: string): Promise<number> {
  const ended = await em.execute('delete from session where user_id = ? and id <> ? returning id', [userId, kept])
  return ended.length
}

/**
 * Renews a session after a fresh proof: it gets a new token, and the old one becomes useless. Null when the session has ended. One that began
 * by a clock that was ahead counts as seen when it began.
 */
export async function renewSession(em: EntityManager, member: Member, now: Date): Promise<string | null> {
  const token = newToken()
  const renewed = await em.execute(
    'update session set token_hash = ?, proven_at = ?, last_seen_at = greatest(?, created_at) where id = ? and user_id = ? returning id',
    [hashOf(token), now, now, member.session, member.id],
  )
  if (renewed.length === 0) return null
  member.visit.leave('session', token)
  return token
}
