import { setTimeout } from 'node:timers/promises'
import { tables } from '@augury/domain/platform/tables'
import type { SyncRunView } from '@augury/wire/platform/admin-sync'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAction, runAsAdmin } from '../authorization/run-as-admin.ts'
import { adminScheduler } from '../authorization/scheduler.ts'
import type { Admin } from '../authorization/viewer.ts'
import { startJob } from '../jobs/run-job.ts'
import type { Site } from '../site/site.ts'
import { syncJobs } from './jobs.ts'
import { readRun } from './sync-state.ts'

/** Milliseconds that an admin waits for a run, most of which end sooner. A longer one goes on after the answer. */
const PATIENCE_MS = 1_000

/** Lets the next run of a job try an item again. Throws `dead_letter_not_found`. */
export async function retryDeadLetter(
  site: Site,
  admin: Admin,
  { body }: { body: { job: string; item: string } },
): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em, now) => {
    // Also resets a retry time written by a clock that was ahead.
    const retried = await tables(em)
      .updateTable('sync_failure')
      .set((eb) => ({
        attempts: 1,
        dead: false,
        first_at: eb.fn('least', ['first_at', eb.val(now)]),
        last_at: eb.fn('least', ['last_at', eb.val(now)]),
        next_at: eb.fn('least', ['last_at', eb.val(now)]),
      }))
      .where('job_name', '=', body.job)
      .where('item', '=', body.item)
      .returning('item')
      .execute()
    if (retried.length === 0) throw new ServiceError('dead_letter_not_found')
    return { answer: { success: true }, record: { action: 'sync_retried', target: `${body.job} ${body.item}` } }
  })
}

/** Starts a job. Answers with the run as it is a moment later, or with the one that is under way elsewhere. Throws `job_not_found`. */
export async function runSyncAsAdmin(
  site: Site,
  admin: Admin,
  { params }: { params: { job: string } },
): Promise<{ success: true; data: SyncRunView }> {
  const job = syncJobs(site).find(({ name }) => name === params.job)
  if (!job) throw new ServiceError('job_not_found')
  const { signal } = site.background
  const note = (em: EntityManager) => recordAction(em, admin, { action: 'sync_started', target: job.name }, site.now())
  const started = await startJob(site, adminScheduler(admin), job, { signal, note })
  if (started) {
    site.background.follow(started.ended)
    await Promise.race([started.ended.catch(() => {}), setTimeout(PATIENCE_MS)])
  }
  return { success: true, data: await readRun(site, job.name, started?.id ?? null) }
}
