/**
 * The database went away between sending a row and hearing of its commit, for longer than a caller can wait. The command may or may
 * not have happened: give no answer, close the connection. A look-up by id tells later.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
