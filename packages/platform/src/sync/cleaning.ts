import { SESSION_IDLE, SESSION_LIFE } from '../identity/sessions.ts'
import type { Job } from './run-job.ts'

/** Rows that go in one step. */
const BATCH = 2000

/**
 * Notifications that a member keeps: who makes others be told things fills nobody's list, and no disk. As many again of those about the
 * account itself, which nobody pushes out by joining a thousand times by a member's link, or by trading with them.
 */
const NOTIFICATIONS = 1000

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** What nobody will ask for again: a table, when its rows are that, and how many milliseconds ago each `?` of the condition was. */
const SWEEPS: readonly [table: string, condition: string, ago: readonly number[]][] = [
  ['session', 'created_at <= ? or last_seen_at <= ?', [SESSION_LIFE, SESSION_IDLE]],
  ['sign_in_nonce', 'expires_at < ?', [HOUR]],
  ['pending_second_factor', 'expires_at < ?', [HOUR]],
  ['email_verification', 'expires_at < ?', [HOUR]],
  // The longest window of the service's limits, doubled.
  ['swap_request', 'at < ?', [4 * HOUR]],
  // The browser keeps its half as long.
  ['trading_context', 'created_at < ?', [400 * DAY]],
  [
    'notification',
    `id in (
       select old.id from
         (select user_id, category = 'system' as own from notification group by 1, 2 having count(*) > ${NOTIFICATIONS}) crowded,
         lateral (select id from notification newest where newest.user_id = crowded.user_id and (category = 'system') = crowded.own
                  order by created_at desc, id desc offset ${NOTIFICATIONS}) old)`,
    [],
  ],
  // What went well and what runs every few seconds is of interest for a while; the last good run of a job always is.
  [
    'sync_run',
    `state <> 'running' and (started_at < ? or started_at < ? and state = 'finished' and errors = 0 and not time_limit_reached)
     and started_at < (select max(last.started_at) from sync_run last where last.job_name = sync_run.job_name and last.state = 'finished')`,
    [30 * DAY, 2 * DAY],
  ],
]

/** Deletes old rows. */
export const cleaningJob = (): Job => ({
  name: 'cleaning',
  everySeconds: 3600,
  async work(platform, run) {
    for (const [table, condition, ago] of SWEEPS) {
      const values = ago.map((milliseconds) => new Date(platform.now().getTime() - milliseconds))
      for (let gone = BATCH; gone === BATCH && run.hasTime(); ) {
        await run.step(null, async (em) => {
          const deleted = await em.execute(
            `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH})) returning 1`,
            values,
          )
          gone = deleted.length
        })
        if (gone > 0) run.count(table, gone)
      }
    }
  },
})
