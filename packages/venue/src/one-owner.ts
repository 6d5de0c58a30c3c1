import type { Hex } from '@augury/engine/command'
import type { Pool, PoolClient } from 'pg'

const ignore = (): void => {} // the query in flight, or the next one, rejects

/**
 * Runs a transaction while nobody else, in any process, runs one of the same account: what is counted stays true until what is added to it
 * is committed.
 */
export async function forOneOwner<Result>(db: Pool, owner: Hex, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await db.connect()
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [owner])
    const result = await run(client)
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
