import type { Output } from '@augury/wire/operation'
import type { signInOperations } from '@augury/wire/platform/sign-in'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import { audit } from '../authorization/audit.ts'
import { requireFresh } from '../authorization/freshness.ts'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { type Attempt, attempt, type Proof, refuseUnlessPassed, removeSecondFactor, secretPlace } from './second-factor.ts'
import { endOtherSessions, renewSession } from './sessions.ts'
import { newTotpSecret, otpauthUri } from './totp.ts'
import { userView } from './user-view.ts'

type Operations = typeof signInOperations

/** Begins to set up an authenticator, replacing an unconfirmed one. Throws `step_up_required` and `two_factor_enabled`. */
export async function enrollTwoFactor(site: Site, member: Member): Promise<Output<Operations['enrollTwoFactor']>> {
  requireFresh(member, site.now())
  const secret = newTotpSecret()
  return site.em().transactional(async (em) => {
    const begun = await em.execute(
      `insert into two_factor (user_id, secret, created_at) values (?, ?, ?)
       on conflict (user_id) do update set secret = excluded.secret, last_step = 0 where two_factor.confirmed_at is null
       returning user_id`,
      [member.id, site.vault.seal(secret, secretPlace(member.id)), site.now()],
    )
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
    await em.execute('select from users where id = ? for no key update', [member.id])
    const [row]: { confirmed: boolean }[] = await em.execute(
      'select confirmed_at is not null as confirmed from two_factor where user_id = ? for update',
      [member.id],
    )
    if (row?.confirmed) throw new ServiceError('two_factor_enabled')
    const attempted = await attempt(site, em, member.id, body, member.visit)
    if (attempted.result !== 'passed') return { attempted, answer: null }
    const now = site.now()
    await em.execute('update two_factor set confirmed_at = ? where user_id = ?', [now, member.id])
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
    const confirmed = await em.execute('select from two_factor where user_id = ? and confirmed_at is not null for update', [member.id])
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
