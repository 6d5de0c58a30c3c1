import pg from 'pg'
import { connection, drop } from './postgres.ts'

/** What hears a channel: of one payload, or, when notices may have been missed, of all there may have been. */
export type Hearing = Record<string, (payload?: string) => Promise<void>>

/** Milliseconds before a lost connection is made again. */
const RETRY_MS = 1000
/** The same between two looks whether it is still there: a line may fall silent, and nobody who only listens is told. */
const LOOK_MS = 3000

/**
 * Hears what other processes tell over the database's channels; after a lost connection everything may have changed. Returns what stops
 * it.
 */
export async function followNotices(
  databaseUrl: string,
  hearing: Hearing,
  onError: (error: Error) => void,
  lookMs = LOOK_MS,
): Promise<() => void> {
  let stopped = false
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let next: NodeJS.Timeout | undefined

  const lost = (error: Error) => {
    if (stopped) return
    drop(client) // it may hear all, where what it heard of could not be read
    client = null
    onError(error)
    clearTimeout(retry)
    clearTimeout(next)
    retry = setTimeout(() => void again().catch(lost), RETRY_MS)
  }
  const listen = async () => {
    const fresh = new pg.Client({ ...connection(databaseUrl, 'notices'), query_timeout: LOOK_MS })
    fresh.on('error', (error) => fresh === client && lost(error))
    fresh.on('notification', ({ channel, payload }) => void hearing[channel]?.(payload).catch(onError))
    try {
      await fresh.connect()
      for (const channel of Object.keys(hearing)) await fresh.query(`listen ${channel}`)
    } catch (error) {
      drop(fresh) // nobody else knows of it, and a server in recovery lets everybody in and nobody listen
      throw error
    }
    if (stopped) return drop(fresh)
    client = fresh
    look(fresh)
  }
  const look = (at: pg.Client) => {
    next = setTimeout(async () => {
      try {
        await at.query('select 1')
        if (at === client) look(at)
      } catch (error) {
        if (at === client) lost(error as Error)
      }
    }, lookMs)
  }
  const again = async () => {
    await listen()
    await Promise.all(Object.values(hearing).map((hear) => hear()))
  }
  await listen()
  return () => {
    stopped = true
    clearTimeout(retry)
    clearTimeout(next)
    drop(client)
    client = null
  }
}
