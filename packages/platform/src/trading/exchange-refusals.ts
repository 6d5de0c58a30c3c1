import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { type RefusalCode, refusals } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'

/**
 * What the exchange refused a member is refused in the same words. No answer: `outcome_unknown` where something may have happened,
 * `service_unavailable` where nothing can have.
 */
export function asRefusal(error: unknown, changes: boolean): unknown {
  if (error instanceof NoAnswerError)
    return changes
      ? new ServiceError('outcome_unknown', { cause: error })
      : new ServiceError('service_unavailable', { retryAfter: 1, cause: error })
  if (!(error instanceof RefusedError) || !isCode(error.code)) return error
  const { error: text, code, details, ...extras } = error.body
  return new ServiceError(code as RefusalCode, {
    ...(typeof text === 'string' ? { text } : {}),
    ...(details === undefined ? {} : { details }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    extras,
    cause: error,
  })
}

const isCode = (code: string | undefined): code is RefusalCode => code !== undefined && Object.hasOwn(refusals, code)
