import { createClient } from 'redis'
import { within } from './within.ts'

/** Milliseconds that a command may take, and for which Redis is not used after one failed or took longer. */
const PATIENCE_MS = 150
const REST_MS = 1000

const connect = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true, // commands fail at once while the server is away
    socket: { connectTimeout: 2000, reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, 2000) + Math.random() * 100 },
  })

/** A Redis that may be slow, empty or gone at any moment: callers do without it then. It never decides money or security. */
export interface Redis {
  /** The client, for libraries that need it. */
  readonly client: ReturnType<typeof connect>
  /** The result of a command; null when Redis fails or is too slow. Never throws. */
  attempt<Answer>(command: (client: ReturnType<typeof connect>) => Promise<Answer>): Promise<Answer | null>
  close(): void
}

/** Connects in the background, and reconnects after every loss. */
export function openRedis(url: string): Redis {
  const client = connect(url)
  let restUntil = 0
  const rest = () => {
    if (performance.now() >= restUntil) restUntil = performance.now() + REST_MS
  }
  client.on('error', rest)
  client.on('ready', () => {
    restUntil = 0
  })
  client.connect().catch(rest)
  return {
    client,
    async attempt(command) {
      if (!client.isReady || performance.now() < restUntil) return null
      const answer = (async () => command(client))() // its arguments may be refused before it is sent
      try {
        return await within(PATIENCE_MS, answer, () => new Error(`Redis did not answer within ${PATIENCE_MS} ms`))
      } catch {
        rest()
        return null
      }
    },
    close: () => client.destroy(),
  }
}
