import type { Job, SyncResult } from '@augury/platform/sync/run-job'
import cron from 'node-cron'
import type { Logger } from 'pino'

/** How a job went the last time, for the health page. */
export interface LastRun {
  at: string
  result: SyncResult
}

/** Jobs on the clock. */
export interface Schedule {
  /** Last run of each job; null before the first one ended. */
  last(): Record<string, LastRun | null>
  /** Takes the jobs off the clock, ends running ones after their current step, and resolves when all are still. */
  stop(): Promise<void>
}

/** Further runs after the first, in seconds: a site that was just opened does not wait five minutes for its first prices. */
const WARM_UP = [20, 60, 120]

/** Runs every job now and then about every five minutes, spread by chance so that several workers do not knock at once. */
export function startSchedule(jobs: readonly Job[], run: (job: Job, signal: AbortSignal) => Promise<SyncResult>, log: Logger): Schedule {
  const ending = new AbortController()
  const last: Record<string, LastRun | null> = Object.fromEntries(jobs.map(({ name }) => [name, null]))
  const running = new Map<string, Promise<void>>()

  const once = async (job: Job) => {
    try {
      const result = await run(job, ending.signal)
      last[job.name] = { at: new Date().toISOString(), result }
      log['error' in result ? 'error' : 'info']({ job: job.name, ...result }, 'sync')
    } catch (error) {
      log.error({ job: job.name, err: error }, 'sync: the database did not answer')
    }
  }
  const start = (job: Job) => {
    if (running.has(job.name) || ending.signal.aborted) return
    running.set(
      job.name,
      once(job).finally(() => running.delete(job.name)),
    )
  }

  for (const job of jobs) start(job)
  const warmUp = WARM_UP.flatMap((seconds) => jobs.map((job) => setTimeout(start, seconds * 1000, job)))
  const tasks = jobs.map((job) => cron.schedule('*/5 * * * *', () => start(job), { name: job.name, maxRandomDelay: 30_000, unref: true }))
  return {
    last: () => ({ ...last }),
    async stop() {
      ending.abort()
      for (const timer of warmUp) clearTimeout(timer)
      await Promise.all(tasks.map((task) => task.destroy()))
      await Promise.all(running.values())
    },
  }
}
