import { ServiceError } from '@augury/wire/service-error'

/** Codes of PostgreSQL and of the system below: connection lost, shutting down or starting, out of resources, nobody there. */
const AWAY_CODES = /^(08|57P|53)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** What the driver says without a code. */
const AWAY_TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/**
 * What a query that failed because the database does not answer is refused as; any other error as it is. Only where nothing can have
 * changed.
 */
export function withoutDatabase(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const isAway = AWAY_CODES.test(code) || AWAY_TEXTS.test(error.message)
  return isAway ? new ServiceError('service_unavailable', { retryAfter: 5, cause: error }) : error
}
