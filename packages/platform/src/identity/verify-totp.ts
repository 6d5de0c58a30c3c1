import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { signInOperations } from '@augury/wire/platform/sign-in'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Viewer } from '../authorization/viewer.ts'
import { hashOf } from '../crypto/token.ts'
import type { Site } from '../site/site.ts'
import { type Attempt, attempt, type Proof, refuseUnlessPassed } from './second-factor.ts'
import { renewSession, startSession } from './sessions.ts'
import { userView } from './user-view.ts'

type Answer = Output<typeof signInOperations.verifyTotp>

/**
 * The second step of a sign-in, or, within a session, a fresh proof of presence. Either way the browser gets a new session token. Throws
 * `second_factor_not_pending`, `second_factor_failed` and `second_factor_locked`.
 */
export async function verifyTotp(site: Site, viewer: Viewer, { body }: { body: Proof }): Promise<Answer> {
  const tried = await site.em().transactional(async (em): Promise<{ attempted: Attempt; answer: Answer | null; signingIn: boolean }> => {
    const pending = await takePending(em, viewer, site.now())
    const userId = pending ?? (viewer.kind === 'member' && viewer.twoFactor ? viewer.id : null)
    if (userId === null) throw new ServiceError('second_factor_not_pending')
    const attempted = await attempt(site, em, userId, body, viewer.visit)
    const signingIn = pending !== null
    if (attempted.result !== 'passed') return { attempted, answer: null, signingIn }
    const token = signingIn ? await begin(em, pending, viewer, site.now()) : await renew(em, viewer, site.now())
    return { attempted, answer: { user: await userView(site, em, userId), token }, signingIn }
  })
  refuseUnlessPassed(tried.attempted, tried)
  return tried.answer!
}

/** The user whose wallet this browser verified in the first step. Locks the row, so that concurrent second steps are serialised. */
async function takePending(em: EntityManager, { visit }: Viewer, now: Date): Promise<string | null> {
  const token = visit.cookie('secondFactor')
  if (token === null) return null
  const row = await tables(em)
    .selectFrom('pending_second_factor')
    .select('user_id')
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return row?.user_id ?? null
}

async function begin(em: EntityManager, userId: string, { visit }: Viewer, now: Date): Promise<string> {
  await tables(em)
    .deleteFrom('pending_second_factor')
    .where('token_hash', '=', hashOf(visit.cookie('secondFactor') ?? ''))
    .execute()
  visit.take('secondFactor')
  return startSession(em, userId, visit, now)
}

async function renew(em: EntityManager, viewer: Viewer, now: Date): Promise<string> {
  const token = viewer.kind === 'member' ? await renewSession(em, viewer, now) : null
  if (token === null) throw new ServiceError('unauthenticated') // the session ended meanwhile
  return token
}
