import { ServiceError } from '@augury/wire/service-error'
import type { Member } from './viewer.ts'

/** Milliseconds for which a proof of presence allows irreversible changes. */
const FRESH = 900_000

/**
 * For changes of the second factor, credentials, e-mail and withdrawals: throws `step_up_required` unless the member proved presence within
 * 15 minutes. Its `details.by` says how to: by a code, or by signing in again.
 */
export function requireFresh(member: Member, now: Date): void {
  if (now.getTime() - member.provenAt.getTime() <= FRESH) return
  throw new ServiceError('step_up_required', { details: { by: member.twoFactor ? 'totp' : 'wallet' } })
}
