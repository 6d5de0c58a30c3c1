import { once } from 'node:events'
import type { Server } from 'node:http'

/** How long a server that stops goes on, in milliseconds. */
export interface Farewell {
  /** How long it still answers after `/readyz` turned, so that proxies notice. Responses carry `Connection: close`. */
  drainMs: number
  /** Then, for requests under way. What is still open is cut. */
  patienceMs: number
}

/** Keeps answering requests, except at `/readyz`, until the drain time is over. */
export async function sayGoodbye(server: Server, drainMs: number): Promise<void> {
  // A proxy keeps connections: one that ends just as it is used again would lose a request.
  if (drainMs > 0)
    server.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false
    })
  await new Promise((resolve) => setTimeout(resolve, drainMs))
}

/** Closes the socket, and resolves when the last connection has ended. */
export async function hangUp(server: Server, patienceMs: number): Promise<void> {
  const closed = once(server, 'close')
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs)
  server.close()
  server.closeIdleConnections()
  await closed
  clearTimeout(patience)
}

/** Ends a server so that a proxy which follows `/readyz` loses no request. */
export async function shutDown(server: Server, { drainMs, patienceMs }: Farewell): Promise<void> {
  await sayGoodbye(server, drainMs)
  await hangUp(server, patienceMs)
}
