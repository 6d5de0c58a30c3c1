import { createClient } from 'redis'
import { within } from './within.ts'

/** Milliseconds that a command may take, and for which Redis is not used after one failed or took longer. */
const PATIENCE_MS = 150
const REST_MS = 1000
/** Milliseconds in which the same trouble is logged once: a recurring one would fill the log. */
const TOLD_MS = 60_000

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
  /** What it last failed with; null while it answers. */
  trouble(): string | null
  close(): void
}

/** Hears what Redis fails with, and null when it answers again. */
export type OnRedis = (trouble: string | null) => void

/** Connects in the background, and reconnects after every loss. */
export function openRedis(url: string, onChange: OnRedis = () => {}): Redis {
  const client = connect(url)
  const state = tellChanges(onChange)
  let restUntil = 0
  const rest = (error: unknown) => {
    state.failed(error)
    if (performance.now() >= restUntil) restUntil = performance.now() + REST_MS
  }
  const attempt: Redis['attempt'] = async (command) => {
    if (!client.isReady || performance.now() < restUntil) return null
    const answer = (async () => command(client))() // its arguments may be refused before it is sent
    try {
      const value = await within(PATIENCE_MS, answer, () => new Error(`Redis did not answer within ${PATIENCE_MS} ms`))
      state.answered()
      return value
    } catch (error) {
      rest(error)
      return null
    }
  }
  client.on('error', rest)
  client.on('ready', () => {
    restUntil = 0
    void attempt((ready) => ready.ping()) // one that wants a password is ready, and refuses every command
  })
  client.connect().catch(rest)
  return { client, attempt, trouble: state.trouble, close: () => client.destroy() }
}

/** Remembers whether Redis answers, and tells when that changes. */
function tellChanges(onChange: OnRedis) {
  let trouble: string | null = 'not connected yet'
  let told: { trouble: string; at: number } | null = null
  let isTold = false
  return {
    trouble: () => trouble,
    failed(error: unknown) {
      trouble = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code || error.name : String(error)
      if (isTold || (told?.trouble === trouble && performance.now() - told.at < TOLD_MS)) return
      told = { trouble, at: performance.now() }
      isTold = true
      onChange(trouble)
    },
    answered() {
      trouble = null
      if (!isTold) return
      isTold = false
      onChange(null)
    },
  }
}
