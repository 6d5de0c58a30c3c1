import type { Job, SyncResult } from '@augury/platform/jobs/run-job'
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
  /** Milliseconds since a job last ran without failing, or since the schedule began. By the monotonic clock. */
  sinceWell(job: Job): number
  /** Takes the jobs off the clock, ends running ones after their current step, and resolves when all are still. */
  stop(): Promise<void>
}

/** Hears how a run went and how long it took, in milliseconds; of one that never began, an error. */
export type OnRun = (job: Job, result: SyncResult | Error, milliseconds: number) => void

/** Seconds between two runs of a job that says nothing else. */
const USUAL = 300
/** Further runs after the first, in seconds: a site that was just opened does not wait five minutes for its first prices. */
const WARM_UP = [20, 60, 120]

/** Milliseconds between two looks whether the clock has left a job out, which it has after two of its pauses. */
const WATCH_MS = 5000

/**
 * Runs every job now and then by the clock, up to half a minute later by chance so that several workers do not knock at once. Where the
 * clock is set back, or was late by a second, its turns stand still or are left out: then by the time that passed.
 */
export function startSchedule(
  jobs: readonly Job[],
  run: (job: Job, signal: AbortSignal) => Promise<SyncResult>,
  log: Logger,
  onRun: OnRun = () => {},
): Schedule {
  const ending = new AbortController()
  const last: Record<string, LastRun | null> = Object.fromEntries(jobs.map(({ name }) => [name, null]))
  const wellAt = new Map(jobs.map(({ name }) => [name, performance.now()]))
  const running = new Map<string, Promise<void>>()

  const once = async (job: Job) => {
    const began = performance.now()
    try {
      const result = await run(job, ending.signal)
      last[job.name] = { at: new Date().toISOString(), result }
      if (!('error' in result)) wellAt.set(job.name, performance.now())
      log[levelOf(job, result)]({ job: job.name, ...result }, 'sync')
      onRun(job, result, performance.now() - began)
    } catch (error) {
      log.error({ job: job.name, err: error }, 'sync: the database did not answer')
      onRun(job, error as Error, performance.now() - began)
    }
  }
  const ended = new Map<string, number>()
  const start = (job: Job) => {
    if (running.has(job.name) || ending.signal.aborted) return
    const end = () => {
      running.delete(job.name)
      ended.set(job.name, performance.now())
    }
    running.set(job.name, once(job).finally(end))
  }

  for (const job of jobs) start(job)
  const slow = jobs.filter(({ everySeconds = USUAL }) => everySeconds === USUAL)
  const warmUp = WARM_UP.flatMap((seconds) => slow.map((job) => setTimeout(start, seconds * 1000, job)))
  const tasks = jobs.map((job) => {
    const seconds = job.everySeconds ?? USUAL
    const name = job.name
    const maxRandomDelay = Math.min(seconds * 100, 30_000)
    return cron.schedule(every(seconds), () => start(job), { name, maxRandomDelay, suppressMissedWarning: true, unref: true })
  })
  const watch = setInterval(() => {
    const now = performance.now()
    for (const job of jobs) if (now - (ended.get(job.name) ?? now) > (job.everySeconds ?? USUAL) * 2000) start(job)
  }, WATCH_MS).unref()
  return {
    last: () => ({ ...last }),
    sinceWell: ({ name }) => performance.now() - wellAt.get(name)!,
    async stop() {
      ending.abort()
      clearInterval(watch)
      for (const timer of warmUp) clearTimeout(timer)
      await Promise.all(tasks.map((task) => task.destroy()))
      await Promise.all(running.values())
    },
  }
}

/** A pause as node-cron writes it: in seconds below a minute, in minutes below an hour, else at the full hour. */
const every = (seconds: number): string =>
  seconds < 60 ? `*/${seconds} * * * * *` : seconds < 3600 ? `*/${Math.round(seconds / 60)} * * * *` : '0 * * * *'

/** What runs every few seconds is news only when something went wrong. */
const levelOf = ({ everySeconds = USUAL }: Job, result: SyncResult): 'error' | 'info' | 'debug' =>
  'error' in result ? 'error' : everySeconds < 60 && 'errors' in result && result.errors === 0 ? 'debug' : 'info'
