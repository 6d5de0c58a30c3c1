import { tables } from '@augury/domain/platform/tables'
import type { DeadLetter, SyncJobState, SyncRunView } from '@augury/wire/platform/admin-sync'
import { sql } from 'kysely'
import type { Platform } from '../site/platform.ts'

type Page = { query: { limit: number; offset: number; job?: string | undefined } }

const iso = (time: string | Date) => new Date(time).toISOString()
const isoOrNull = (time: string | Date | null) => (time === null ? null : iso(time))

const RUN = [
  ...(['id', 'job_name as job', 'scheduler', 'state', 'started_at', 'finished_at', 'counters', 'errors', 'error_details'] as const),
  ...(['time_limit_reached', 'message'] as const),
]
type Timed = Omit<SyncRunView, 'started_at' | 'finished_at'> & { started_at: string | Date; finished_at: string | Date | null }
const toRun = (row: Timed): SyncRunView => ({ ...row, started_at: iso(row.started_at), finished_at: isoOrNull(row.finished_at) })

interface StateRow extends Omit<SyncJobState, 'lag_seconds'> {
  last_good: string | null
}

/** The state of every job that ever ran. */
export async function syncState(platform: Platform): Promise<SyncJobState[]> {
  const rows: StateRow[] = await platform.em().execute(STATE)
  const now = platform.now().getTime()
  return rows.map(({ last_good, ...row }) => ({
    ...row,
    running_since: isoOrNull(row.running_since),
    last_run: row.last_run && toRun(row.last_run),
    lag_seconds: last_good === null ? null : Math.max(0, (now - new Date(last_good).getTime()) / 1000),
  }))
}

const STATE = `
  select name as job, running.started_at as running_since, cursor is not null as mid_round,
    (select to_jsonb(last) from (select ${RUN.join(', ')} from sync_run where job_name = name order by started_at desc limit 1) last) as last_run,
    coalesce(
      (select max(finished_at) from sync_run where job_name = name and state = 'finished'),
      (select min(started_at) from sync_run where job_name = name)
    ) as last_good,
    (select count(*)::int from sync_failure where job_name = name) as waiting,
    (select count(*)::int from sync_failure where job_name = name and dead) as dead
  from sync_job left join sync_run running on running.job_name = name and running.state = 'running'
  order by name`

/** Runs, newest first. */
export async function listRuns(platform: Platform, { query }: Page): Promise<{ data: SyncRunView[]; totalCount: number }> {
  const found = runsOf(platform, query.job)
  const rows = await found.select(RUN).orderBy('started_at', 'desc').orderBy('id', 'desc').limit(query.limit).offset(query.offset).execute()
  const { count } = await found.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return { data: rows.map(toRun), totalCount: count }
}

const runsOf = (platform: Platform, job: string | undefined) =>
  tables(platform.em())
    .selectFrom('sync_run')
    .$if(job !== undefined, (query) => query.where('job_name', '=', job!))

/** A run by its id, or the last one of the job. */
export async function readRun(platform: Platform, job: string, id: string | null): Promise<SyncRunView> {
  const row = await runsOf(platform, job)
    .select(RUN)
    .$if(id !== null, (query) => query.where('id', '=', id!))
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return toRun(row)
}

/** Items that failed: dead letters first, then by last failure. */
export async function listDeadLetters(platform: Platform, { query }: Page): Promise<{ data: DeadLetter[]; totalCount: number }> {
  const { job } = query
  const found = tables(platform.em())
    .selectFrom('sync_failure')
    .$if(job !== undefined, (asked) => asked.where('job_name', '=', job!))
  const rows = await found
    .select(['job_name as job', 'item', 'attempts', 'first_at', 'last_at', 'next_at', 'dead', 'error'])
    .orderBy('dead', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('job_name')
    .orderBy('item')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  const { count } = await found.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  const data = rows.map((row) => ({
    ...row,
    first_at: row.first_at.toISOString(),
    last_at: row.last_at.toISOString(),
    next_at: row.next_at.toISOString(),
  }))
  return { data, totalCount: count }
}
