import { venueClient } from '@augury/client/rest'
import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { runJob } from '@augury/platform/jobs/run-job'
import { openPlatform } from '@augury/platform/site/platform'
import { syncJobs } from '@augury/platform/sync/jobs'
import { peakMemory, processorTime } from './processor.ts'

// A worker that runs one job once and says what that took. One process a job: its memory is the job's.
const [databaseUrl = '', url = '', name = ''] = process.argv.slice(2)
const exchange = venueClient({ url })
const refuse = () => Promise.reject(new Error('not measured'))
const access = {
  operatorAddress: `0x${'ab'.repeat(20)}`,
  anybody: exchange,
  reader: async () => exchange,
  pages: () => exchange,
  operator: refuse,
  treasury: refuse,
  watcher: refuse,
  as: () => exchange,
} as const
const platform = await openPlatform(databaseUrl)
const job = syncJobs({ exchange: access, settings: { chainId: 1, rpcUrl: null } }).find((each) => each.name === name)
if (!job) throw new Error(`no job is called ${name}`)
const before = processorTime(process.pid).all
const begun = performance.now()
const result = await runJob(platform, workerScheduler('bench'), job, { budgetMs: 1_000_000 })
const seconds = (performance.now() - begun) / 1000
console.log(JSON.stringify({ result, seconds, cpu: processorTime(process.pid).all - before, mebibytes: peakMemory(process.pid) }))
await platform.close()
