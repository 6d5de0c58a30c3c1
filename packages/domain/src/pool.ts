import type { EventEmitter } from 'node:events'

/** How long somebody at the other end of a connection may be silent, in milliseconds. Without a limit, for ever. */
export interface Patience {
  /** The database: with a connection, one of those there are included, and with the answer to a statement. */
  answerMs?: number
  /** The program, between two statements of a transaction: the database ends what is frozen with a lock in hand. */
  betweenMs?: number
}
export const PATIENCE: Patience = { answerMs: 30_000, betweenMs: 10_000 }

/** What of the driver's connections is used here. */
interface Connection extends EventEmitter {
  query(...asked: unknown[]): Promise<unknown>
  end(): Promise<void>
  release(error?: Error): void
}

/** The driver's pool: how many connections there are, how many of them do nothing, and how many statements wait for one. */
export interface Pool extends EventEmitter {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** Settings of a pool in which nobody waits without an end. */
export const poolSettings = ({ answerMs, betweenMs }: Patience) => ({
  ...(answerMs && { connectionTimeoutMillis: answerMs, query_timeout: answerMs }),
  ...{ keepAlive: true, keepAliveInitialDelayMillis: 1000 },
  async onConnect(connection: Connection) {
    endWhenSilent(connection)
    if (betweenMs) await connection.query(`set idle_in_transaction_session_timeout = ${betweenMs}`)
  },
})

/** A connection that did not answer in time is of no use to the next one either: it would wait behind the same statement. */
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
 * Gives connections back that end while they are lent. The query builder below the ORM keeps one for ever whose transaction could not begin
 * or be rolled back; after ten of them everybody would wait for ever.
 */
export function takeBackEnded(pool: Pool): void {
  const lent = new Set<Connection>()
  pool.on('acquire', (connection: Connection) => lent.add(connection))
  pool.on('release', (_: unknown, connection: Connection) => lent.delete(connection))
  pool.on('connect', (connection: Connection) =>
    connection.once('end', () => {
      if (!lent.has(connection)) return
      connection.release(new Error('the connection has ended'))
      connection.release = () => {} // whoever has it still gives it back too
    }),
  )
}

/** Milliseconds between two looks whether anything is under way. */
const LOOK_MS = 5

/**
 * Until nothing is under way. A pool that ends forgets who waits for a connection, and the query builder below the ORM never gives back one
 * that was being made when it was closed: the end of the pool would wait for that one for ever. The first look, too, is in a turn of its
 * own: whoever goes on with an answer has asked again by then.
 */
export async function quiet(pool: Pool): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount)
}
