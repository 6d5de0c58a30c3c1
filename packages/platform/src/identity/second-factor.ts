import { type PlatformTables, tables } from '@augury/domain/platform/tables'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Selectable } from 'kysely'
import { audit } from '../authorization/audit.ts'
import type { Visit } from '../authorization/visit.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { secondsUntilAfter, stepOf } from './totp.ts'

/** Wrong codes before a lock, and the milliseconds of the first lock; each further lock lasts twice as long, up to a day. */
const FAILURES = 5
const LOCK = 900_000
const LOCK_MAX = 86_400_000

/** The proof of a second factor: a code, or a recovery code. */
export type Proof = { code: string } | { recoveryCode: string }

/** The result of an attempt; `locked` or, with a clock that was set back, `early` for so many seconds. */
export type Attempt =
  | { result: 'passed' | 'failed' | 'missing' }
  | { result: 'locked'; seconds: number }
  | { result: 'early'; seconds: number }

/** Where the secret of a user lives in the vault. */
export const secretPlace = (userId: string) => ({ user: userId, field: 'two_factor.secret' })

type Row = Pick<Selectable<PlatformTables['two_factor']>, 'secret' | 'last_step' | 'failures' | 'locks' | 'locked_until'>

/**
 * Checks a proof against a user's authenticator, confirmed or being set up. Attempts on one user are serialised across sessions, and each
 * is counted: call it in a transaction, and commit that also when the attempt failed.
 */
export async function attempt(site: Site, em: EntityManager, userId: string, proof: Proof, visit: Visit): Promise<Attempt> {
  const now = site.now()
  const row = await tables(em)
    .selectFrom('two_factor')
    .select(['secret', 'last_step', 'failures', 'locks', 'locked_until'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return { result: 'missing' }
  const locked = row.locked_until === null ? 0 : row.locked_until.getTime() - now.getTime()
  if (locked > 0) return { result: 'locked', seconds: Math.ceil(locked / 1000) }

  const result = await judge(site, em, userId, row, proof)
  if (result.result === 'failed') await countFailure(em, userId, row, visit, now)
  if (result.result !== 'passed') return result
  await tables(em).updateTable('two_factor').set({ failures: 0, locks: 0, locked_until: null }).where('user_id', '=', userId).execute()
  if ('recoveryCode' in proof) await audit(em, { action: 'recovery_code_used', actor: userId, subject: userId, visit }, now)
  return result
}

/**
 * A code is accepted only if its step is later than that of the last accepted one (RFC 6238, 5.2). If that one lies further ahead than codes
 * are accepted, the clock was set back: a right code is then early, and is not counted as a failure. A recovery code works at any time.
 */
async function judge(site: Site, em: EntityManager, userId: string, { secret, last_step }: Row, proof: Proof): Promise<Attempt> {
  if ('recoveryCode' in proof) return { result: (await useRecoveryCode(em, userId, proof.recoveryCode)) ? 'passed' : 'failed' }
  const step = stepOf(site.vault.open(secret, secretPlace(userId)), proof.code, site.now())
  if (step === null) return { result: 'failed' }
  const seconds = secondsUntilAfter(Number(last_step), site.now())
  if (seconds > 0) return { result: 'early', seconds }
  if (step <= Number(last_step)) return { result: 'failed' }
  await tables(em).updateTable('two_factor').set({ last_step: step }).where('user_id', '=', userId).execute()
  return { result: 'passed' }
}

async function countFailure(em: EntityManager, userId: string, { failures, locks }: Row, visit: Visit, now: Date): Promise<void> {
  if (failures + 1 < FAILURES) {
    await tables(em)
      .updateTable('two_factor')
      .set({ failures: failures + 1 })
      .where('user_id', '=', userId)
      .execute()
    return
  }
  const until = new Date(now.getTime() + Math.min(LOCK * 2 ** locks, LOCK_MAX))
  await tables(em)
    .updateTable('two_factor')
    .set({ failures: 0, locks: Math.min(locks + 1, 20), locked_until: until })
    .where('user_id', '=', userId)
    .execute()
  await audit(
    em,
    {
      action: 'two_factor_locked',
      actor: null,
      subject: userId,
      visit,
      details: { until: until.toISOString() },
    },
    now,
  )
  await notify(em, userId, {
    source: `two_factor_locked:${until.toISOString()}`,
    category: 'system',
    kind: 'second_factor_locked',
    title: 'Sign-in was locked',
    description: `Five wrong codes of your authenticator were entered. Codes are refused until ${until.toISOString()}.`,
    metadata: { until: until.toISOString() },
    link: { type: 'settings', target: 'two-factor' },
    at: now,
  })
}

/** Takes the second factor off a user, with secret and recovery codes, and notifies them, because an admin may have done it. False if there is none. */
export async function removeSecondFactor(em: EntityManager, userId: string, at: Date): Promise<boolean> {
  const removed = await tables(em).deleteFrom('two_factor').where('user_id', '=', userId).returning('user_id').execute()
  if (removed.length === 0) return false
  await tables(em).deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await notify(em, userId, {
    source: `second_factor_off:${at.toISOString()}`,
    category: 'system',
    kind: 'second_factor_off',
    title: 'The second factor was turned off',
    description: 'A passkey or wallet alone signs you in now. If this was not you, turn it on again, which ends your other sessions.',
    link: { type: 'settings', target: 'two-factor' },
    at,
  })
  return true
}

/** Throws the refusal of a failed attempt; every failed sign-in has one text. Call it after the commit. */
export function refuseUnlessPassed(attempted: Attempt, { signingIn = false } = {}): void {
  if (attempted.result === 'passed') return
  if (attempted.result === 'missing') throw new ServiceError('two_factor_not_enrolled')
  if (attempted.result === 'early') throw new ServiceError('clock_set_back', { retryAfter: attempted.seconds })
  if (attempted.result === 'locked') {
    const { seconds: retryAfter } = attempted
    throw new ServiceError('second_factor_locked', signingIn ? { retryAfter } : { retryAfter, text: 'Too many wrong codes.' })
  }
  throw new ServiceError('second_factor_failed', signingIn ? {} : { text: 'The code is wrong.' })
}
