/** Something that cannot happen did: the state is no longer to be trusted. Whoever runs the engine stops, dumps, and exits. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
