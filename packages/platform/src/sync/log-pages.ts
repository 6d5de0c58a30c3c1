import { LAST_CURSOR } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import type { Run } from './run-job.ts'

/** Items of one step. */
const BATCH = 500

/** Items after a position of the exchange's log; `seq` is the position up to which they are all. */
interface LogPage<Item> {
  data: Item[]
  seq: number
  next_cursor: string
}

/** The job that reads, and what it calls what it counts. */
interface Reader {
  job: string
  counter: string
}

/** Item of the letter that says that a log cannot be read on. */
const LETTER = 'log'

/**
 * Takes in what the exchange lists by the positions of its log; the cursor is one of them. Fails where the log ends before the cursor: then
 * the exchange's database was put back from a backup and this one was not, and what comes now has positions that stood for something else.
 * It fails from then on, also when the log has grown past the cursor, until an admin says to retry.
 */
export async function readLog<Item extends { seq: number }>(
  platform: Platform,
  run: Run,
  { job, counter }: Reader,
  ask: (query: { after: number; limit: number }) => Promise<LogPage<Item>>,
  write: (em: EntityManager, items: readonly Item[]) => Promise<void>,
): Promise<void> {
  const known = Number(run.cursor ?? 0)
  if ((await platform.em().execute(STANDING, [job, LETTER])).length > 0) return giveUp(run, known)
  // One position back, or an answer from a log that ends earlier would look like one without news.
  for (let after = Math.max(0, known - 1); run.hasTime(); ) {
    const { data, seq, next_cursor } = await ask({ after, limit: BATCH })
    if (seq < known) return giveUp(run, known)
    const items = data.filter((item) => item.seq > known)
    await run.step(String(seq), (em) => write(em, items), [LETTER])
    run.count(counter, items.length)
    if (next_cursor === LAST_CURSOR) return
    after = seq
  }
}

/** A letter that nobody has said to retry. */
const STANDING = 'select from sync_failure where job_name = ? and item = ? and next_at > last_at'

/** Fails the run, and leaves a letter. */
async function giveUp(run: Run, known: number): Promise<never> {
  const error = new Error(
    `the exchange's log ended before position ${known}, up to which it was read: its database was put back and this one was not, see docs/operations/backup.md`,
  )
  run.fail(LETTER, error)
  await run.step(run.cursor, async () => {})
  throw error
}
