import type { Scheduler } from '../authorization/scheduler.ts'
import { runJob, type SyncResult } from '../jobs/run-job.ts'
import type { Site } from '../site/site.ts'
import { syncJobs } from './jobs.ts'

/** Runs one of the recurring jobs now, unless it is running elsewhere, as the worker does on schedule. */
export function runSync(site: Site, scheduler: Scheduler, name: string): Promise<SyncResult> {
  const job = syncJobs(site).find((job) => job.name === name)
  if (!job) throw new Error(`no job is called ${name}`)
  return runJob(site, scheduler, job)
}
