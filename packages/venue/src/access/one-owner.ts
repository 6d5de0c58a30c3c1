import type { Hex } from '@augury/engine/command'
import type { Pool, PoolClient } from 'pg'

/** Connections of the pool that owners may hold at once: what else it is asked for is answered by the others, whatever these wait for. */
const AT_ONCE = 2

const ignore = (): void => {}

/** Transactions of which there is one at a time for each account, in any process: what is counted in one stays true until it is committed. */
export class OneOwner {
  readonly #db: Pool
  /** The last that each account waits for, so that an account waits holding one connection at most. */
  readonly #last = new Map<Hex, Promise<void>>()
  #underway = 0
  readonly #waiting: (() => void)[] = []

  constructor(db: Pool) {
    this.#db = db
  }

  /** Runs a transaction of an account when all earlier ones are over. `other`: another account of which none may be under way either. */
  run<Result>(owner: Hex, work: (client: PoolClient) => Promise<Result>, other: Hex = owner): Promise<Result> {
    const owners = [...new Set([owner, other])].sort() // in one order, so that no two ever wait for each other
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
      const next = this.#waiting.shift() // takes this one's place
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
