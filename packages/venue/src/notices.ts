import pg from 'pg'
import { connection } from './postgres.ts'

/** What hears a channel: of one payload, or, when notices may have been missed, of all there may have been. */
export type Hearing = Record<string, (payload?: string) => Promise<void>>

/**
 * Hears what other processes tell over the database's channels; after a lost connection everything may have changed. Returns what stops
 * it.
 */
export async function followNotices(databaseUrl: string, hearing: Hearing, onError: (error: Error) => void): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined

  const lost = (error: Error) => {
    client = null
    if (stopped) return
    onError(error)
    clearTimeout(retry)
    retry = setTimeout(
      () =>
        void listen()
          .then(() => Promise.all(Object.values(hearing).map((hear) => hear())))
          .catch(lost),
      1000,
    )
  }
  const listen = async () => {
    const fresh = new pg.Client(connection(databaseUrl, 'notices'))
    fresh.on('error', lost)
    fresh.on('notification', ({ channel, payload }) => void hearing[channel]?.(payload).catch(onError))
    try {
      await fresh.connect()
      for (const channel of Object.keys(hearing)) await fresh.query(`listen ${channel}`)
    } catch (error) {
      await fresh.end().catch(() => {}) // nobody else knows of it, and a server in recovery lets everybody in and nobody listen
      throw error
    }
    client = fresh
  }

  await listen()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end()
  }
}
