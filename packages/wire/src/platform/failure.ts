import type { Operation } from '../operation.ts'
import { type RefusalCode, refusals } from '../refusals.ts'
import { ServiceError } from '../service-error.ts'
import { platformOperations } from './operations.ts'

const BROKEN = 'Internal server error. Try again in a few moments.'
const ADMIN_BROKEN = 'Internal server error'
/** Routes with a text of their own for failures, as specified. */
const OWN_WORDS: ReadonlyMap<string, string> = new Map([
  [platformOperations.marketMetadata.path, 'An unexpected error occurred. Please try again later.'],
  [platformOperations.liveSeries.path, 'Failed to load price reference snapshot'],
])

/** Statuses that refusals have at a deployment and not at the exchange: as specified, a failure of the server is a 500, also a passing one. */
export const platformStatuses: Partial<Record<RefusalCode, number>> = { service_unavailable: 500 }

export const isAdminPath = (path: string): boolean => /^\/admin\/api(\/|$)/.test(path)

/** Returns the text of a route for a failure of the server, as specified. */
export const failureText = ({ path }: Pick<Operation, 'path'>): string =>
  isAdminPath(path) ? ADMIN_BROKEN : (OWN_WORDS.get(path) ?? BROKEN)

/** Returns a refusal with the text that its route has for a passing failure, unless it says more than that. */
export function inRouteWords(operation: Pick<Operation, 'path'>, error: ServiceError): ServiceError {
  if (error.code !== 'service_unavailable' || error.message !== refusals.service_unavailable.text) return error
  const { details, extras, headers, retryAfter, cause } = error
  return new ServiceError(error.code, {
    text: failureText(operation),
    details,
    cause,
    ...(extras === undefined ? {} : { extras }),
    ...(headers === undefined ? {} : { headers }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}
