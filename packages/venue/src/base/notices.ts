import { listener } from '@augury/domain/listener'
import type { ClientBase, Pool } from 'pg'
import { connection } from './postgres.ts'

/** Handlers of notifications by channel. Called with a payload, or without one when any number of notifications may have been missed. */
export type NoticeHandlers = Record<string, (payload?: string) => Promise<void>>

/** Notifies other processes of a change. In a transaction, at its commit. */
export async function notify(db: Pool | ClientBase, channel: string, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [channel, payload])
}

/** Milliseconds between two checks of the connection, and for which it may leave anything unanswered. */
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
  const first = Promise.withResolvers<void>()
  let hasBegun = false
  const news = listener({
    connection: { ...connection(databaseUrl, 'notices'), query_timeout: CHECK_MS },
    channels: Object.keys(handlers),
    checkMs,
    async connected() {
      if (hasBegun) await Promise.all(Object.values(handlers).map((handle) => handle()))
      hasBegun = true
      first.resolve()
    },
    heard: (payload, channel) => void handlers[channel]?.(payload).catch(onError),
    lost(error) {
      if (hasBegun) onError(error)
      else first.reject(error)
    },
    wanted: () => hasBegun,
  })
  news.open()
  await first.promise
  return () => news.close()
}
