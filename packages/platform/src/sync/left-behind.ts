import { SyncJob } from '@augury/domain/platform/sync-job.entity'
import { SyncRun } from '@augury/domain/platform/sync-run.entity'
import { tables } from '@augury/domain/platform/tables'
import type { Platform } from '../site/platform.ts'

/** A worker process: a host and one of its process ids. */
export interface WorkerProcess {
  host: string
  pid: number
}

/** The name of a worker in the history of runs. */
export const workerName = ({ host, pid }: WorkerProcess): string => `worker ${host} ${pid}`

/**
 * Releases the leases of dead workers of this host, so that frequent jobs do not wait the quarter of an hour after which anybody may take
 * them. Call it before the first run of a process: runs under its own id then belong to an earlier process. Returns the names of the jobs.
 * If a holder is alive after all, its next step writes nothing.
 */
export function releaseLeftBehind(platform: Platform, self: WorkerProcess, isAlive: (pid: number) => boolean): Promise<string[]> {
  return platform.em().transactional(async (em) => {
    const held = await tables(em)
      .selectFrom('sync_job')
      .innerJoin('sync_run as run', 'run.id', 'sync_job.holder')
      .select(['sync_job.name as job', 'run.id as run', 'scheduler'])
      .where((eb) => eb.fn<boolean>('starts_with', ['scheduler', eb.val(`worker ${self.host} `)]))
      .orderBy('name')
      .forUpdate('sync_job')
      .execute()
    const left = held.filter(({ scheduler }) => {
      const pid = Number(scheduler.split(' ').at(-1))
      return workerName({ host: self.host, pid }) === scheduler && (pid === self.pid || !isAlive(pid))
    })
    for (const { job, run } of left) {
      await em.nativeUpdate(SyncJob, { name: job, holder: run }, { holder: null, heartbeatAt: null })
      await em.nativeUpdate(SyncRun, { id: run, state: 'running' }, { state: 'abandoned', finishedAt: platform.now() })
    }
    return left.map(({ job }) => job)
  })
}
