/**
 * The connection to the database was lost between sending a row and the answer to its commit, for longer than a caller can wait. The
 * command may or may not have happened, and a later look-up by id tells. Callers are answered `outcome_unknown` (`callerFailure`).
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
