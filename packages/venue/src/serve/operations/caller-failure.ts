import { type VenueOperationName, venueRow } from '@augury/wire/operations/venue'
import { type RefusalCode, refusalText } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { OutcomeUnknown } from '../../record/log/outcome-unknown.ts'

/** Temporary failures before anything was done. A standby is not one: it names the server to use. */
const TEMPORARY: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['service_unavailable', 'overloaded', 'read_model_lagging'])

/** Returns the text for a request with an unknown outcome. */
const unknownText = (name: VenueOperationName): string =>
  venueRow(name).orders?.startsWith('cancels')
    ? 'It is not known yet whether this was cancelled. Look at your open orders before you try again.'
    : 'It is not known yet whether this took effect. Look at your open orders before you try again.'

/**
 * Returns the failure of an operation as its caller gets it, on every transport. An unknown outcome becomes `outcome_unknown`, and a
 * cancel of one order that was certainly not done `cancel_failed`, as the law has it, with what was cancelled: nothing, and of the order `id`, if
 * the request was read so far, why. Anything else stays as it is.
 */
export function callerFailure(name: VenueOperationName, error: unknown, id?: string): unknown {
  if (error instanceof OutcomeUnknown) return new ServiceError('outcome_unknown', { text: unknownText(name), cause: error })
  return error instanceof ServiceError && venueRow(name).orders === 'cancels one' && TEMPORARY.has(error.code) ? notDone(error, id) : error
}

const notDone = (cause: ServiceError, id?: string): ServiceError =>
  new ServiceError('cancel_failed', {
    cause,
    extras: { canceled: [], not_canceled: id === undefined ? {} : { [id]: refusalText('cancel_failed') } },
    ...(cause.headers === undefined ? {} : { headers: cause.headers }),
    ...(cause.retryAfter === undefined ? {} : { retryAfter: cause.retryAfter }),
  })
