/**
 * Codes of a query that failed while the database could not be used. PostgreSQL's own: connection lost (08), out of resources (53), shutting
 * down or starting (57P), and a statement that was ended before its result (57014): by its time limit, or by an operator. Then those of the
 * network: no answer, or names cannot be looked up for now (EAI_AGAIN), as while a machine or its name server restarts.
 */
const AWAY_CODES = /^(08\w{3}|53\w{3}|57P\w\w|57014|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Messages of the driver that come without a code. */
const AWAY_TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** Whether a query failed because the database is unavailable, and not because the query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return code ? AWAY_CODES.test(code) : AWAY_TEXTS.test(error.message)
}
