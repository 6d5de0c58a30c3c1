import { hostname } from 'node:os'
import { workerScheduler } from '@augury/platform/identity/scheduler'
import { openPlatform } from '@augury/platform/platform'
import { openOracles } from '@augury/platform/prices/oracles'
import { seriesJobs } from '@augury/platform/series/series-jobs'
import { syncJobs } from '@augury/platform/sync/jobs'
import { type Job, runJob } from '@augury/platform/sync/run-job'
import { openExchange } from '@augury/platform/trading/exchange-access'
import { workerSettings } from '@augury/settings/env'
import { pino } from 'pino'
import { serveHealth } from './health.ts'
import { openMetrics } from './metrics.ts'
import { startSchedule } from './schedule.ts'

const settings = workerSettings()
const log = pino({ name: 'sync-worker', level: settings.logLevel })
const scheduler = workerScheduler(`worker ${hostname()} ${process.pid}`)
const platform = await openPlatform(settings.databaseUrl)
const exchange = openExchange(settings)

const run = (job: Job, signal: AbortSignal) =>
  runJob(platform, scheduler, job, { signal, onFailure: (error) => log.error({ job: job.name, err: error }, 'a job failed') })
const metrics = openMetrics(platform)
const jobs = [...syncJobs({ exchange, settings }), ...seriesJobs({ exchange, oracles: openOracles(settings) })]
const schedule = startSchedule(jobs, run, log, metrics.onRun)
const health = await serveHealth(settings.workerPort, settings.host, { jobs, last: schedule.last, metrics: metrics.text })
log.info({ port: settings.workerPort }, 'ready')

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    health.close()
    health.closeAllConnections()
    await schedule.stop()
    await platform.close()
  })
}
