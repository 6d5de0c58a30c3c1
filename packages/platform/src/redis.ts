import { createClient } from 'redis'

/** Milliseconds that a command may take, and for which Redis is left alone after one took longer or failed. */
const PATIENCE_MS = 150
const REST_MS = 1000

const connect = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true, // nobody waits for a server that is away
    socket: { connectTimeout: 2000, reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, 2000) + Math.random() * 100 },
  })

/** A Redis that may be slow, empty or gone at any moment: whoever uses it does without it then. Nothing of money or security is kept there. */
export interface Redis {
  /** For libraries that speak to it themselves. */
  readonly client: ReturnType<typeof connect>
  /** What a command answers; null when Redis does not, soon enough. Never throws. */
  attempt<Answer>(command: (client: ReturnType<typeof connect>) => Promise<Answer>): Promise<Answer | null>
  close(): void
}

/** Connects in the background, and again whenever the connection is lost. `onTrouble` hears of failures, at most one a second. */
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
      const answer = command(client)
      answer.catch(() => {}) // when it fails after nobody waits any more
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
