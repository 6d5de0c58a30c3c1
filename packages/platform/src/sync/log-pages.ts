import { LAST_CURSOR } from '@augury/wire/limits'
import { type ResumePoint, resumeIdOf } from '@augury/wire/subscriptions'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Run } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'

/** Items per step. */
const BATCH = 500

/** The position up to which the exchange's log was read; `epoch` is null for a position stored before epochs were. */
export type LogPlace = Pick<ResumePoint, 'position'> & { epoch: number | null }

/** The end of a page: `seq` is the position up to which it is complete. */
interface PageEnd {
  seq: number
  epoch: number
  after_epoch: number
  next_cursor: string
}

/** Items after a position of the exchange's log. */
interface LogPage<Item> extends PageEnd {
  data: Item[]
}

/** The reading job, and the name of its counter. */
interface Reader {
  job: string
  counter: string
}

/** Item of the dead letter that says that a log cannot be read on. */
export const LETTER = 'log'

/** The exchange's database was restored from a backup and this one was not: positions of its log no longer mean what was read. */
export class LogRewritten extends Error {}

/** Throws LogRewritten unless a page, requested after `known`, continues the log that was read up to there. */
export type CheckPage = (known: LogPlace, page: PageEnd) => void

/**
 * Reads the exchange's log for a job. If it is no longer the log that was read before, this run and later ones fail until an admin asks for
 * a retry: then reading resumes, provided that the log is as long as what was read.
 */
export async function followLog(platform: Platform, run: Run, job: string, read: (check: CheckPage) => Promise<void>): Promise<void> {
  const [letter]: { error: string; stands: boolean }[] = await platform.em().execute(LETTERS, [job, LETTER])
  const check: CheckPage = ({ epoch, position }, { after_epoch }) => {
    const isTrusted = epoch === null || letter !== undefined
    if (position === 0 || after_epoch === epoch || (isTrusted && after_epoch > 0)) return
    throw new LogRewritten(
      `the exchange's log ended before position ${position}, up to which it was read: its database was put back and this one was not, see docs/operations/backup.md`,
    )
  }
  try {
    if (letter?.stands) throw new LogRewritten(letter.error)
    await read(check)
  } catch (error) {
    if (error instanceof LogRewritten) {
      run.fail(LETTER, error)
      await run.step(run.cursor, async () => {})
    }
    throw error
  }
}

/** `stands`: no admin has asked for a retry. */
const LETTERS = 'select error, next_at > last_at as stands from sync_failure where job_name = ? and item = ?'

/** Stores items that the exchange lists by log position; the cursor is a position with its epoch. */
export function readLog<Item>(
  platform: Platform,
  run: Run,
  { job, counter }: Reader,
  ask: (query: { after: number; limit: number }) => Promise<LogPage<Item>>,
  write: (em: EntityManager, items: readonly Item[]) => Promise<void>,
): Promise<void> {
  return followLog(platform, run, job, async (check) => {
    for (let known = placeOf(run.cursor); run.hasTime(); ) {
      const page = await ask({ after: known.position, limit: BATCH })
      check(known, page)
      const reached = { epoch: page.epoch, position: page.seq }
      await run.step(resumeIdOf(reached), (em) => write(em, page.data), [LETTER])
      run.count(counter, page.data.length)
      if (page.next_cursor === LAST_CURSOR) return
      known = reached
    }
  })
}

function placeOf(cursor: string | null): LogPlace {
  const [position = 0, epoch = null] = (cursor ?? '').split('-').filter(Boolean).map(Number).reverse()
  return { epoch, position }
}
