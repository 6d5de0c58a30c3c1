import { SyncJob } from '@augury/domain/platform/sync-job.entity'
import { SyncRun } from '@augury/domain/platform/sync-run.entity'
import type { Platform } from '../platform.ts'

/** A worker process: a machine and one of its process ids. */
export interface WorkerProcess {
  host: string
  pid: number
}

/** What a worker is called in the history of runs. */
export const workerName = ({ host, pid }: WorkerProcess): string => `worker ${host} ${pid}`

/**
 * Gives back the leases of workers of this machine that are no more, so that a job that runs every few seconds does not wait the quarter of
 * an hour after which anybody may take them. Call it before the first run of a process: what bears its own id then is of one before it.
 * Returns the jobs. Should a holder live after all, its next step writes nothing.
 */
export function releaseLeftBehind(platform: Platform, self: WorkerProcess, isAlive: (pid: number) => boolean): Promise<string[]> {
  return platform.em().transactional(async (em) => {
    const held: { job: string; run: string; scheduler: string }[] = await em.execute(
      `select sync_job.name as job, run.id as run, scheduler from sync_job join sync_run run on run.id = holder
       where starts_with(scheduler, ?) order by name for update of sync_job`,
      [`worker ${self.host} `],
    )
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
