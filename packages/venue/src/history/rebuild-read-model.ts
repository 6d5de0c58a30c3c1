import { connect, connection, drop, requireClob } from '../postgres.ts'
import { rebuildFolds } from './folds.ts'

/**
 * Makes the folds of a stream anew from its facts, beside a running exchange or without one: until it is done, a follower waits for
 * it. `progress` hears of every position reached.
 */
export async function rebuildReadModel(databaseUrl: string, stream = 'main', progress?: (seq: number) => void): Promise<void> {
  await requireClob(databaseUrl)
  const client = await connect({ ...connection(databaseUrl, `rebuild ${stream}`), query_timeout: 600_000 })
  try {
    await rebuildFolds(client, stream, progress)
  } finally {
    drop(client)
  }
}
