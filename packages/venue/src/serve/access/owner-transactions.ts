import type { Hex } from '@augury/engine/command'
import type { Pool, PoolClient } from 'pg'

/** Connections of the pool that these transactions hold at once: the rest stay free for other queries, whatever these wait for. */
const AT_ONCE = 2

const ignore = (): void => {}

/**
 * Database transactions that run one at a time per account, across all processes (an advisory lock): what one of them counts stays true
 * until it commits.
 */
export class OwnerTransactions {
  readonly #db: Pool
  /** The last transaction of each account: the next one waits for it here, without holding a connection. */
  readonly #last = new Map<Hex, Promise<void>>()
  #underway = 0
  readonly #waiting: (() => void)[] = []

  constructor(db: Pool) {
    this.#db = db
  }

  /** Runs a transaction once all earlier ones of the account are over. `other` is a second account to lock. */
  run<Result>(owner: Hex, work: (client: PoolClient) => Promise<Result>, other: Hex = owner): Promise<Result> {
    const owners = [...new Set([owner, other])].sort() // always in the same order, so that two transactions never deadlock
    const result = (this.#last.get(owner) ?? Promise.resolve()).then(() => this.#within(owners, work))
    const over = result.then(ignore, ignore).then(() => {
      if (this.#last.get(owner) === over) this.#last.delete(owner)
    })
    this.#last.set(owner, over)
    return result
  }

  async #within<Result>(owners: readonly Hex[], work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    if (this.#underway < AT_ONCE) this.#underway++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await transaction(this.#db, owners, work)
    } finally {
      const next = this.#waiting.shift() // inherits this slot
      if (next) next()
      else this.#underway--
    }
  }
}

async function transaction<Result>(db: Pool, owners: readonly Hex[], work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await db.connect()
  client.on('error', ignore) // the query in flight, or the next one, rejects
  let broken: Error | undefined
  try {
    await client.query('begin')
    for (const owner of owners) await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [owner])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause) => {
      broken = cause
    })
    throw error
  } finally {
    client.off('error', ignore)
    client.release(broken)
  }
}
