/**
 * The connection to the database was lost between sending a row and the answer to its commit, for longer than a caller can wait. The
 * command may or may not have happened: close the connection without an answer. A later look-up by id tells.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
