import pg from 'pg'
import { connection, drop } from './postgres.ts'

/** Handlers of notifications by channel. Called with a payload, or without one when any number of notifications may have been missed. */
export type NoticeHandlers = Record<string, (payload?: string) => Promise<void>>

/** Milliseconds before reconnecting. */
const RETRY_MS = 1000
/** Milliseconds between two checks of the connection: a connection that only listens does not notice that the other end is gone. */
const CHECK_MS = 3000

/**
 * Listens on the database's channels for what other processes changed. After a lost connection all handlers run without a payload. Returns
 * the function that stops it.
 */
export async function followNotices(
  databaseUrl: string,
  handlers: NoticeHandlers,
  onError: (error: Error) => void,
  checkMs = CHECK_MS,
): Promise<() => void> {
  let stopped = false
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | undefined
  let next: NodeJS.Timeout | undefined

  const lost = (error: Error) => {
    if (stopped) return
    drop(client) // it may still be listening: the failure may have been of a handler's query
    client = null
    onError(error)
    clearTimeout(retry)
    clearTimeout(next)
    retry = setTimeout(() => void again().catch(lost), RETRY_MS)
  }
  const listen = async () => {
    const fresh = new pg.Client({ ...connection(databaseUrl, 'notices'), query_timeout: CHECK_MS })
    fresh.on('error', (error) => fresh === client && lost(error))
    fresh.on('notification', ({ channel, payload }) => void handlers[channel]?.(payload).catch(onError))
    try {
      await fresh.connect()
      for (const channel of Object.keys(handlers)) await fresh.query(`listen ${channel}`)
    } catch (error) {
      drop(fresh) // a server in recovery accepts connections and refuses LISTEN
      throw error
    }
    if (stopped) return drop(fresh)
    client = fresh
    check(fresh)
  }
  const check = (at: pg.Client) => {
    next = setTimeout(async () => {
      try {
        await at.query('select 1')
        if (at === client) check(at)
      } catch (error) {
        if (at === client) lost(error as Error)
      }
    }, checkMs)
  }
  const again = async () => {
    await listen()
    await Promise.all(Object.values(handlers).map((handle) => handle()))
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
