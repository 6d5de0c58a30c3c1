import { parentPort, workerData } from 'node:worker_threads'
import { drop } from '@augury/domain/pool'
import { hostClock } from '../../base/clock.ts'
import { connect, historyConnection, historyConnectionNames } from '../../base/postgres.ts'
import { journalReader } from '../log/postgres-journal.ts'
import { postgresSnapshots } from '../log/postgres-snapshots.ts'
import { catchUp } from '../log/recovery.ts'
import { Damaged } from '../log/replica.ts'
import { restoreReplica } from '../log/snapshots.ts'
import { foldRest } from './folds.ts'
import { Follower } from './follower.ts'
import { beginProjection, project } from './projection.ts'
import { holderSalt, type ProofSettings, StateRoots } from './state-roots.ts'
import { stayBehind } from './stay-behind.ts'

/** What the thread is started with. */
export interface FollowerData {
  databaseUrl: string
  stream: string
  snapshotEvery?: number
  proof?: ProofSettings | undefined
}

/** What the thread reports: how far history is, or why it stopped. `damaged` means that a restart would not help. */
export type FollowerNews =
  | { type: 'projected'; seq: number; at: number }
  | { type: 'rebuilding' }
  | { type: 'root_cut' }
  | { type: 'failed'; message: string; damaged: boolean }
/** Methods of the follower that the main thread calls. */
export type FollowerOrder = 'wake' | 'flush' | 'stop' | 'cutRoot'

const port = parentPort
if (!port) throw new Error('the follower runs in a worker thread')
const { databaseUrl, stream, snapshotEvery, proof, listening } = workerData as FollowerData & { listening: Int32Array }
const report = (news: FollowerNews) => port.postMessage(news)

/** Whether a retry would only fail again: the journal is damaged, or facts break a constraint. */
const isPermanent = (error: unknown): boolean => error instanceof Damaged || /^(22|23|42)/.test(String((error as { code?: unknown }).code))

const open = (name: string) => connect(historyConnection(databaseUrl, name))
/** One connection reads, the other writes what was read before. */
const [client, history] = await Promise.all([open(historyConnectionNames(stream).reader), open(historyConnectionNames(stream).writer)])
try {
  await foldRest(history, stream, (seq) => {
    if (seq === 0) report({ type: 'rebuilding' })
  })
  const projected = await beginProjection(history, stream)
  const journal = journalReader(client, stream)
  const snapshots = postgresSnapshots(client, stream)
  const replica = await restoreReplica(journal, snapshots, projected.seq)
  await catchUp(journal, replica, undefined, projected.seq)
  if (replica.head.checksum !== projected.checksum) throw new Damaged(`history at ${projected.seq} is of another journal`)
  report({ type: 'projected', seq: projected.seq, at: projected.at })

  if (proof) await holderSalt(history, stream) // the public history needs it even before the first root
  const follower = new Follower({
    journal,
    snapshots,
    replica,
    clock: hostClock,
    snapshotEvery,
    project: (...batch) => project(history, stream, ...batch),
    listen: () => Atomics.store(listening, 0, 1),
    onProjected: ({ seq, at }) => report({ type: 'projected', seq, at }),
    roots: proof && new StateRoots(history, stream, proof),
  })
  stayBehind() // only after catching up
  port.on('message', async (order: FollowerOrder) => {
    await follower[order]()
    if (order === 'cutRoot') report({ type: 'root_cut' })
  })
  await follower.run()
} catch (error) {
  report({ type: 'failed', message: (error as Error).stack ?? String(error), damaged: isPermanent(error) })
} finally {
  drop(client)
  drop(history)
  port.close()
}
