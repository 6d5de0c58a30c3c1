import { hostname } from 'node:os'
import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { openExchange } from '@augury/platform/exchange/exchange-access'
import { type Job, runJob } from '@augury/platform/jobs/run-job'
import { openOracles } from '@augury/platform/prices/oracles'
import { seriesJobs } from '@augury/platform/series/series-jobs'
import { openPlatform } from '@augury/platform/site/platform'
import { syncJobs } from '@augury/platform/sync/jobs'
import { releaseLeftBehind, workerName } from '@augury/platform/sync/left-behind'
import { workerSettings } from '@augury/settings/env'
import { loggedError } from '@augury/settings/logged-error'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { pino } from 'pino'
import { serveHealth } from './health.ts'
import { openMetrics } from './metrics.ts'
import { startSchedule } from './schedule.ts'

const begun = reportStartErrors('sync-worker', { database: 'DATABASE_URL', ports: ['WORKER_PORT'] })
const settings = workerSettings()
const log = pino({ name: 'sync-worker', level: settings.logLevel, serializers: { err: loggedError } })
const self = { host: hostname(), pid: process.pid }
const scheduler = workerScheduler(workerName(self))
const platform = await openPlatform(settings.databaseUrl)
const exchange = openExchange(settings)
const left = await releaseLeftBehind(platform, self, isAlive).catch((error) => {
  log.warn({ err: error }, 'the database did not answer: what a worker before this one left waits for its time')
  return []
})
if (left.length > 0) log.warn({ jobs: left }, 'a worker before this one ended in the middle of its jobs')

const run = (job: Job, signal: AbortSignal) =>
  runJob(platform, scheduler, job, {
    signal,
    onFailure: (error) => log.error({ job: job.name, err: error }, 'a job failed'),
  })
const metrics = openMetrics(platform)
const jobs = [...syncJobs({ exchange, settings }), ...seriesJobs({ exchange, oracles: openOracles(settings) })]
const schedule = startSchedule(jobs, run, log, metrics.onRun)
const going = new AbortController()
const health = await serveHealth(settings.workerPort, settings.host, { ...schedule, jobs, metrics: metrics.text, going: going.signal })
begun()
log.info({ port: settings.workerPort }, 'ready')

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (going.signal.aborted) return
    going.abort()
    log.info({ signal }, 'stopping')
    await schedule.stop()
    await platform.close()
    health.close()
    health.closeAllConnections()
  })
}

/** Whether a process of this machine runs. One of another user does. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
