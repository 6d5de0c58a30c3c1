import { ServiceError } from '@augury/wire/service-error'
import pg from 'pg'

/** Classes of SQLSTATE that mean the server is unavailable: connection lost, shutting down or starting, out of resources or of time. */
const AWAY_STATES = /^(08|57014|57P|53)/
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'])
/** Messages of the driver that come without a code. */
const AWAY_TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** Whether a query failed because the database is unavailable, and not because the query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return AWAY_STATES.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  return AWAY_CODES.has((error as NodeJS.ErrnoException).code ?? '') || AWAY_TEXTS.test(error.message)
}

/**
 * Turns the loss of the database into a 503. Commands wait for it by themselves; a request that queried it directly changed nothing and may
 * be retried.
 */
export const withoutDatabase = (error: unknown): unknown =>
  isDatabaseAway(error) ? new ServiceError('service_unavailable', { retryAfter: 1, cause: error }) : error
