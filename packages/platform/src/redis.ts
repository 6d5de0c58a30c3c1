import { createClient } from 'redis'

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

/** Connects in the background, and reconnects after every loss. `onTrouble` is called with failures, at most once a second. */
export function openRedis(url: string, onTrouble: (error: Error) => void = () => {}): Redis {
  const client = connect(url)
  let restUntil = 0
  const trouble = (error: Error) => {
    if (performance.now() < restUntil) return
    restUntil = performance.now() + REST_MS
    onTrouble(error)
  }
  client.on('error', trouble)
  client.on('ready', () => {
    restUntil = 0
  })
  client.connect().catch(trouble)
  return {
    client,
    async attempt(command) {
      if (!client.isReady || performance.now() < restUntil) return null
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`Redis did not answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
      })
      const answer = (async () => command(client))() // its arguments may be refused before it is sent
      answer.catch(() => {}) // it may still fail after the timeout
      try {
        return await Promise.race([answer, late])
      } catch (error) {
        trouble(error as Error)
        return null
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => client.destroy(),
  }
}
