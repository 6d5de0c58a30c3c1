/** Names under which a sandbox is reached from its own machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a request was meant for this site. A page that another name could reach would let that name's owner read it (DNS rebinding).
 * A sandbox also answers to the names of its own machine, on the port of its origin.
 */
export function isOwnHost(host: string, { origin, mode }: { origin: string; mode: string }): boolean {
  const own = new URL(origin)
  if (host === own.host) return true
  const { hostname, port } = new URL(`http://${host}`)
  return mode === 'sandbox' && LOOPBACK.has(hostname) && port === own.port
}
