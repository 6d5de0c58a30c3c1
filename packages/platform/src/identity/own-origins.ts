/** Names under which a sandbox is reached from its own machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The origins of the site: the configured one, and in a sandbox the local names on the same port. */
export function ownOrigins({ origin, mode }: { origin: string; mode: string }): string[] {
  if (mode !== 'sandbox') return [origin]
  const { protocol, port } = new URL(origin)
  return [...new Set([origin, ...LOOPBACK.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin)])]
}
