import { drop } from '@augury/domain/pool'
import { connect, connection, requireClob } from '../../base/postgres.ts'
import { rebuildFolds } from './folds.ts'

/**
 * Rebuilds the folds of a stream from its facts, with or without a running exchange, whose follower waits meanwhile. `progress` is called
 * with every position reached.
 */
export async function rebuildReadModel(databaseUrl: string, stream: string, progress: (seq: number) => void): Promise<void> {
  await requireClob(databaseUrl)
  const client = await connect({ ...connection(databaseUrl, `rebuild ${stream}`), query_timeout: 600_000 })
  try {
    await rebuildFolds(client, stream, progress)
  } finally {
    drop(client)
  }
}
