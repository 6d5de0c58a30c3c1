import { Session } from '@augury/domain/platform/session.entity'
import type { SessionView, User } from '@augury/wire/platform/user'
import { ServiceError } from '@augury/wire/service-error'
import { audit } from '../authorization/audit.ts'
import type { Member, Viewer } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { endOtherSessions, endSession, SESSION_IDLE, SESSION_LIFE } from './sessions.ts'
import { userView } from './user-view.ts'

/** The signed-in user, or null. */
export async function getSession(site: Site, viewer: Viewer): Promise<User | null> {
  return viewer.kind === 'member' ? userView(site, site.em(), viewer.id) : null
}

/** Ends the session at once. Signing out twice is fine. */
export async function signOut(site: Site, viewer: Viewer): Promise<{ success: true }> {
  if (viewer.kind === 'member') await endSession(site.em(), viewer.id, viewer.session)
  viewer.visit.take('session')
  viewer.visit.take('secondFactor')
  viewer.visit.clearSite()
  return { success: true }
}

/** The member's live sessions, the latest seen first. */
export async function listSessions(site: Site, member: Member): Promise<SessionView[]> {
  const now = site.now().getTime()
  const sessions = await site
    .em()
    .find(
      Session,
      { user: member.id, createdAt: { $gt: new Date(now - SESSION_LIFE) }, lastSeenAt: { $gt: new Date(now - SESSION_IDLE) } },
      { orderBy: { lastSeenAt: 'desc', id: 'desc' } },
    )
  return sessions.map(({ id, createdAt, lastSeenAt, userAgent, clientAddress }) => ({
    id,
    current: id === member.session,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
    user_agent: userAgent,
    client_address: clientAddress,
  }))
}

/** Ends one session of the member, or all `others`. Throws `session_not_found`, also for another member's. */
export async function endSessions(site: Site, member: Member, { params }: { params: { id: string } }): Promise<{ success: true }> {
  if (params.id !== 'others') {
    if (!(await endSession(site.em(), member.id, params.id))) throw new ServiceError('session_not_found')
    if (params.id === member.session) member.visit.take('session')
    return { success: true }
  }
  await site.em().transactional(async (em) => {
    const ended = await endOtherSessions(em, member.id, member.session)
    const entry = { action: 'other_sessions_ended', actor: member.id, subject: member.id } as const
    await audit(em, { ...entry, visit: member.visit, details: { ended } }, site.now())
  })
  return { success: true }
}
