import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { signInOperations } from '@augury/wire/platform/sign-in'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { requireApprovalOrFresh } from './approval.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { type Attempt, attempt, type Proof, refuseUnlessPassed, removeSecondFactor, secretPlace } from './second-factor.ts'
import { endOtherSessions, renewSession } from './sessions.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'
import { userView } from './user-view.ts'

type Operations = typeof signInOperations

/** Begins to set up an authenticator, replacing an unconfirmed one. Throws `step_up_required`, the refusals of a proof, and `two_factor_enabled`. */
export async function enrollTwoFactor(
  site: Site,
  member: Member,
  { body }: Pick<Input<Operations['enrollTwoFactor']>, 'body'>,
): Promise<Output<Operations['enrollTwoFactor']>> {
  await requireApprovalOrFresh(site, member, { action: 'second_factor' }, body.approval)
  const secret = newTotpSecret()
  return site.em().transactional(async (em) => {
    const begun = await tables(em)
      .insertInto('two_factor')
      .values({ user_id: member.id, secret: site.vault.seal(secret, secretPlace(member.id)), created_at: site.now() })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet((eb) => ({ secret: eb.ref('excluded.secret'), last_step: 0 }))
          .where('two_factor.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .execute()
    if (begun.length === 0) throw new ServiceError('two_factor_enabled')
    const issuer = new URL(site.settings.origin).hostname
    return {
      otpauthUri: otpauthUri(issuer, getAddress(member.address), secret),
      recoveryCodes: await renewRecoveryCodes(em, member.id),
    }
  })
}

/** Turns the second factor on. The code is used up, and the sessions of other devices end. */
export async function confirmTwoFactor(
  site: Site,
  member: Member,
  { body }: { body: { code: string } },
): Promise<Output<Operations['confirmTwoFactor']>> {
  const tried = await site.em().transactional(async (em) => {
    // Waits for sign-ins under way, so that their sessions are among those that end here.
    await tables(em).selectFrom('users').select('id').where('id', '=', member.id).forNoKeyUpdate().execute()
    const row = await tables(em)
      .selectFrom('two_factor')
      .select('confirmed_at')
      .where('user_id', '=', member.id)
      .forUpdate()
      .executeTakeFirst()
    if (row && row.confirmed_at !== null) throw new ServiceError('two_factor_enabled')
    const attempted = await attempt(site, em, member.id, body, member.visit)
    if (attempted.result !== 'passed') return { attempted, answer: null }
    const now = site.now()
    await tables(em).updateTable('two_factor').set({ confirmed_at: now }).where('user_id', '=', member.id).execute()
    const ended = await endOtherSessions(em, member.id, member.session)
    const token = await renewSession(em, member, now)
    if (token === null) throw new ServiceError('unauthenticated') // the session ended meanwhile
    await tell(site, member, 'two_factor_enabled', em, { endedSessions: ended })
    return { attempted, answer: { user: await userView(site, em, member.id), token } }
  })
  refuseUnlessPassed(tried.attempted)
  return tried.answer!
}

/** Turns the second factor off and deletes its secret and recovery codes. */
export async function disableTwoFactor(
  site: Site,
  member: Member,
  { body }: { body: Proof },
): Promise<Output<Operations['disableTwoFactor']>> {
  const tried = await site.em().transactional(async (em): Promise<{ attempted: Attempt }> => {
    const confirmed = await tables(em)
      .selectFrom('two_factor')
      .select('user_id')
      .where('user_id', '=', member.id)
      .where('confirmed_at', 'is not', null)
      .forUpdate()
      .execute()
    if (confirmed.length === 0) return { attempted: { result: 'missing' } }
    const attempted = await attempt(site, em, member.id, body, member.visit)
    if (attempted.result === 'passed') {
      await removeSecondFactor(em, member.id, site.now())
      await tell(site, member, 'two_factor_disabled', em)
    }
    return { attempted }
  })
  refuseUnlessPassed(tried.attempted)
  return { user: await userView(site, site.em(), member.id) }
}

function tell(
  site: Site,
  { id, visit }: Member,
  action: 'two_factor_enabled' | 'two_factor_disabled',
  em: Parameters<typeof audit>[0],
  details: Record<string, unknown> = {},
): Promise<void> {
  return audit(em, { action, actor: id, subject: id, visit, details }, site.now())
}
