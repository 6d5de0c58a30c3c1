import { SESSION_IDLE, SESSION_LIFE } from '../identity/sessions.ts'
import { LeaseLost } from '../jobs/lease.ts'
import type { Job, Run } from '../jobs/run-job.ts'
import { cropNotifications } from './crop-notifications.ts'

/** Rows deleted per step. */
const BATCH = 2000

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Rows that are no longer needed: the table, the condition, and the age in milliseconds for each `?` of the condition. */
const SWEEPS: readonly [table: string, condition: string, ago: readonly number[]][] = [
  ['session', 'created_at <= ? or last_seen_at <= ?', [SESSION_LIFE, SESSION_IDLE]],
  ['sign_in_nonce', 'expires_at < ?', [HOUR]],
  ['passkey_challenge', 'expires_at < ?', [HOUR]],
  ['pending_second_factor', 'expires_at < ?', [HOUR]],
  ['email_verification', 'expires_at < ?', [HOUR]],
  // Twice the longest window of the service's limits.
  ['swap_request', 'at < ?', [4 * HOUR]],
  // The browser keeps its half as long.
  ['trading_context', 'created_at < ?', [400 * DAY]],
  // A failure that its job did not retry when due is obsolete: it succeeded elsewhere, or its item is gone.
  [
    'sync_failure',
    `next_at < ? and exists (select from sync_run run
       where run.job_name = sync_failure.job_name and run.state = 'finished' and run.started_at > sync_failure.next_at + interval '1 day')`,
    [2 * DAY],
  ],
  // Successful runs are of interest for two days only; the last successful run of each job is kept.
  [
    'sync_run',
    `state <> 'running' and (started_at < ? or started_at < ? and state = 'finished' and errors = 0 and not time_limit_reached)
     and started_at < (select max(last.started_at) from sync_run last where last.job_name = sync_run.job_name and last.state = 'finished')`,
    [30 * DAY, 2 * DAY],
  ],
]

/** Deletes old rows. A table that fails does not keep the others from being cleaned. */
export const cleaningJob = (): Job => ({
  name: 'cleaning',
  everySeconds: 3600,
  async work(platform, run) {
    await cleaned(run, 'notification', () => cropNotifications(platform, run))
    for (const [table, condition, ago] of SWEEPS) {
      const values = ago.map((milliseconds) => new Date(platform.now().getTime() - milliseconds))
      await cleaned(run, table, () => sweep(run, table, condition, values))
    }
  },
})

async function cleaned(run: Run, table: string, clean: () => Promise<void>): Promise<void> {
  try {
    await clean()
    await run.step(run.cursor, async () => {}, [table])
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    run.fail(table, error)
    await run.step(run.cursor, async () => {})
  }
}

async function sweep(run: Run, table: string, condition: string, values: readonly Date[]): Promise<void> {
  for (let gone = BATCH; gone === BATCH && run.hasTime(); ) {
    await run.step(run.cursor, async (em) => {
      const deleted: unknown[] = await em.execute(
        `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH})) returning 1`,
        [...values],
      )
      gone = deleted.length
    })
    if (gone > 0) run.count(table, gone)
  }
}
