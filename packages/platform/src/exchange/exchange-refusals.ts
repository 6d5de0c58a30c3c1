import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { type RefusalCode, refusals } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'

/**
 * The error for a member whose call to the exchange failed: a refusal keeps its code and message. Without an answer it is `outcome_unknown`
 * where something may have happened, `service_unavailable` where nothing can have.
 */
export function asRefusal(error: unknown, changes: boolean): unknown {
  if (error instanceof NoAnswerError || (error instanceof RefusedError && error.code === 'outcome_unknown'))
    return changes
      ? new ServiceError('outcome_unknown', { cause: error })
      : new ServiceError('service_unavailable', { retryAfter: 1, cause: error })
  if (!(error instanceof RefusedError) || !isCode(error.code)) return error
  if (error.status === 401) return new ServiceError('service_unavailable', { retryAfter: 1, cause: error }) // before anything was looked at
  const { error: text, code, details, ...extras } = error.body
  return new ServiceError(code as RefusalCode, {
    ...(typeof text === 'string' ? { text } : {}),
    ...(details === undefined ? {} : { details }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    headers: error.budget, // the member's own at the exchange
    extras,
    cause: error,
  })
}

/** Whether the exchange rejected the key itself, as opposed to a timestamp: clocks that disagree do not make a key invalid. */
export const isRevoked = (error: unknown): boolean =>
  error instanceof RefusedError && error.code !== undefined && ['unknown_key', 'bad_signature', 'bad_passphrase'].includes(error.code)

const isCode = (code: string | undefined): code is RefusalCode => code !== undefined && Object.hasOwn(refusals, code)
