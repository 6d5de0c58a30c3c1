import type { Clock } from './clock.ts'
import type { Journal } from './journal.ts'
import { connect, connection, drop } from './postgres.ts'
import { journalReader } from './postgres-journal.ts'
import { postgresSnapshots } from './postgres-snapshots.ts'
import { readProjection } from './projection.ts'
import { followUntilOurs, type TakenOver } from './recovery.ts'

/** Takes a stream over from its database, as `followUntilOurs`. A journal that could not be taken over is closed. */
export async function takeOver(databaseUrl: string, stream: string, journal: Journal, clock: Clock): Promise<TakenOver> {
  const client = await connect({ ...connection(databaseUrl, `recovery ${stream}`), query_timeout: 120_000 })
  try {
    const source = {
      reader: journalReader(client, stream),
      snapshots: postgresSnapshots(client, stream),
      history: () => readProjection(client, stream),
    }
    return await followUntilOurs(source, journal, clock)
  } catch (error) {
    await journal.close()
    throw error
  } finally {
    drop(client)
  }
}
