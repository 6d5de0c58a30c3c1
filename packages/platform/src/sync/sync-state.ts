import type { DeadLetter, SyncJobState, SyncRunView } from '@augury/wire/platform/admin-sync'
import type { Platform } from '../site/platform.ts'

type Texts<Row, Keys extends keyof Row> = Omit<Row, Keys> & Record<Keys, string>
type Page = { query: { limit: number; offset: number; job?: string | undefined } }

const iso = (time: string) => new Date(time).toISOString()
const isoOrNull = (time: string | null) => (time === null ? null : iso(time))

const RUN = `id, job_name as job, scheduler, state, started_at, finished_at, counters, errors, error_details, time_limit_reached, message`
const toRun = (row: SyncRunView): SyncRunView => ({ ...row, started_at: iso(row.started_at), finished_at: isoOrNull(row.finished_at) })

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
    (select to_jsonb(last) from (select ${RUN} from sync_run where job_name = name order by started_at desc limit 1) last) as last_run,
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
  const job = query.job ?? null
  const em = platform.em()
  const rows: SyncRunView[] = await em.execute(
    `select ${RUN} from sync_run where job_name = coalesce(?, job_name) order by started_at desc, id desc limit ? offset ?`,
    [job, query.limit, query.offset],
  )
  const [count]: { count: number }[] = await em.execute(
    'select count(*)::int as count from sync_run where job_name = coalesce(?, job_name)',
    [job],
  )
  return { data: rows.map(toRun), totalCount: count!.count }
}

/** A run by its id, or the last one of the job. */
export async function readRun(platform: Platform, job: string, id: string | null): Promise<SyncRunView> {
  const [row]: [SyncRunView] = await platform
    .em()
    .execute(`select ${RUN} from sync_run where job_name = ? and id = coalesce(?::uuid, id) order by started_at desc, id desc limit 1`, [
      job,
      id,
    ])
  return toRun(row)
}

/** Items that failed: dead letters first, then by last failure. */
export async function listDeadLetters(platform: Platform, { query }: Page): Promise<{ data: DeadLetter[]; totalCount: number }> {
  const job = query.job ?? null
  const em = platform.em()
  const rows: Texts<DeadLetter, 'first_at' | 'last_at' | 'next_at'>[] = await em.execute(
    `select job_name as job, item, attempts, first_at, last_at, next_at, dead, error from sync_failure
     where job_name = coalesce(?, job_name) order by dead desc, last_at desc, job_name, item limit ? offset ?`,
    [job, query.limit, query.offset],
  )
  const [count]: { count: number }[] = await em.execute(
    'select count(*)::int as count from sync_failure where job_name = coalesce(?, job_name)',
    [job],
  )
  const data = rows.map((row) => ({ ...row, first_at: iso(row.first_at), last_at: iso(row.last_at), next_at: iso(row.next_at) }))
  return { data, totalCount: count!.count }
}
