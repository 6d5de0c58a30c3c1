import type { EventEmitter } from 'node:events'
import type pg from 'pg'

/** Time limits of a connection, in milliseconds. Without one, no limit. */
export interface Patience {
  /** For the database: to accept a connection, including the wait for a free one, and to answer a statement. */
  answerMs?: number
  /** For the program, between two statements of a transaction: the database ends the connection of a frozen program that holds a lock. */
  betweenMs?: number
}
export const PATIENCE: Patience = { answerMs: 30_000, betweenMs: 10_000 }

/** The part of the driver's connections that is used here. */
interface Connection extends EventEmitter {
  query(...asked: unknown[]): Promise<unknown>
  end(): Promise<void>
  release(error?: Error): void
}

/** The driver's pool: open connections, idle ones, and statements that wait for one. */
export interface Pool extends EventEmitter {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { types: Pick<pg.TypeOverrides, 'setTypeParser'> }
}

/** Pool settings with time limits. */
export const poolSettings = ({ answerMs, betweenMs }: Patience) => ({
  ...(answerMs && { connectionTimeoutMillis: answerMs, query_timeout: answerMs }),
  keepAlive: true,
  keepAliveInitialDelayMillis: 1000,
  async onConnect(connection: Connection) {
    endWhenSilent(connection)
    if (betweenMs) await connection.query(`set idle_in_transaction_session_timeout = ${betweenMs}`)
  },
})

/** Ends connections that did not answer in time: the next statement would queue behind the unanswered one. */
function endWhenSilent(connection: Connection): void {
  const query = connection.query.bind(connection)
  connection.query = (...asked) => {
    const answer = query(...asked)
    if (answer instanceof Promise)
      answer.catch((error: Error) => {
        if (error.message === 'Query read timeout') void connection.end()
      })
    return answer
  }
}

/**
 * Returns connections to the pool that end while in use. The query builder below the ORM never releases one whose transaction could not
 * begin or be rolled back; after ten of them everybody would wait for ever.
 */
export function takeBackEnded(pool: Pool): void {
  const lent = new Set<Connection>()
  pool.on('acquire', (connection: Connection) => lent.add(connection))
  pool.on('release', (_: unknown, connection: Connection) => lent.delete(connection))
  pool.on('connect', (connection: Connection) =>
    connection.once('end', () => {
      if (!lent.has(connection)) return
      connection.release(new Error('the connection has ended'))
      connection.release = () => {} // its user releases it, too
    }),
  )
}

/** Milliseconds between two checks whether the pool is idle. */
const LOOK_MS = 5

/**
 * Resolves when the pool is idle. A pool that ends forgets its waiting statements, and the query builder never releases a connection that
 * was being opened at that moment, so that the end of the pool would wait for ever. The first check is in a later turn, too: code that
 * continues after an answer has sent its next statement by then.
 */
export async function quiet(pool: Pool): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount)
}

/** Ends a connection at once, without waiting for the other end. */
export function drop(client: pg.Client | null): void {
  if (!client) return
  client.end().catch(() => {}) // a polite goodbye if the line still works
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
