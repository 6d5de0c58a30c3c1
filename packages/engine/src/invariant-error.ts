/** A broken invariant: a bug, after which the state cannot be trusted. The process that runs the engine dumps it and exits. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
