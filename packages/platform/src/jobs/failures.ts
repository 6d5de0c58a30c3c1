import { anyOf, tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'

/** A failure of one item. */
export interface ItemError {
  context: string
  error: string
}

/** Delays in minutes: the first retry comes after the first, each further one after twice as long, none after more than a day. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 1440
/** Failures in a row after which an item is a dead letter and needs an operator. */
const DEAD_AFTER = 8

/**
 * Items of a job that failed and are skipped for now. None is skipped for longer than the longest delay: a later time was written by a
 * clock that was ahead.
 */
export async function waitingItems(em: EntityManager, job: string, now: Date): Promise<Set<string>> {
  const rows = await tables(em)
    .selectFrom('sync_failure')
    .select('item')
    .where('job_name', '=', job)
    .where('next_at', '>', now)
    .where('next_at', '<=', new Date(now.getTime() + LONGEST_PAUSE * 60_000))
    .execute()
  return new Set(rows.map(({ item }) => item))
}

/**
 * The same as an SQL condition, whose values are the time twice: whether an item is not skipped. For joining with a list, so that a limit
 * does not count skipped items.
 */
export const isDue = (job: string, item: string): string =>
  `not exists (select from sync_failure where job_name = '${job}' and item = ${item}
     and next_at > ?::timestamptz and next_at <= ?::timestamptz + interval '${LONGEST_PAUSE} minutes')`

/** Stores which items failed, in the transaction of their step, and deletes the earlier failures of the others. */
export async function keepFailures(
  em: EntityManager,
  job: string,
  failed: readonly ItemError[],
  tried: readonly string[],
  now: Date,
): Promise<void> {
  const byItem = new Map(failed.map(({ context, error }) => [context.slice(0, 300), error.replaceAll('\0', '')]))
  const well = tried.filter((item) => !byItem.has(item))
  if (well.length > 0) await tables(em).deleteFrom('sync_failure').where('job_name', '=', job).where('item', '=', anyOf(well)).execute()
  if (byItem.size === 0) return
  const rows = [...byItem].map(([item, error]) => ({ item, error }))
  await em.execute(KEEP, [job, now, now, FIRST_PAUSE, now, JSON.stringify(rows), now, now, now, LONGEST_PAUSE, FIRST_PAUSE, DEAD_AFTER])
}

const KEEP = `
  insert into sync_failure (job_name, item, attempts, first_at, last_at, next_at, error)
  select ?, item, 1, ?::timestamptz, ?::timestamptz, ?::int * interval '1 minute' + ?::timestamptz, error
  from jsonb_to_recordset(?::jsonb) as failed (item text, error text) order by item
  on conflict (job_name, item) do update set
    attempts = sync_failure.attempts + 1, error = excluded.error, first_at = least(sync_failure.first_at, ?::timestamptz), last_at = ?::timestamptz,
    next_at = ?::timestamptz + least(?, ? * 2 ^ least(sync_failure.attempts, 20)) * interval '1 minute',
    dead = sync_failure.attempts + 1 >= ?`
