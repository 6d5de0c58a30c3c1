import { setTimeout } from 'node:timers/promises'
import { SyncJob } from '@augury/domain/platform/sync-job.entity'
import { SyncRun } from '@augury/domain/platform/sync-run.entity'
import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Scheduler } from '../authorization/scheduler.ts'
import type { Platform } from '../site/platform.ts'

/** Minutes without a heartbeat after which a holder counts as dead. */
const STALE_MINUTES = 15
/** Milliseconds between two attempts to release a lease. */
const AGAIN_MS = 1000

/** A run that holds the lease of its job, and the cursor where the last one stopped. */
export interface Lease {
  job: string
  run: string
  cursor: string | null
}

/** Thrown at a step of a run that slept too long: another run holds the lease, and nothing of the step was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Takes the lease of a job and opens a run, or returns null while another run holds it. The run of a dead holder is marked abandoned. `note`
 * is written with it.
 */
export function takeLease(
  platform: Platform,
  scheduler: Scheduler,
  job: string,
  note?: (em: EntityManager) => Promise<void>,
): Promise<Lease | null> {
  return platform.em().transactional(async (em) => {
    await tables(em)
      .insertInto('sync_job')
      .values({ name: job })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const taken = await tables(em)
      .updateTable('sync_job')
      .set({ holder: sql`uuidv7()`, heartbeat_at: sql`now()` })
      .where('name', '=', job)
      .where((eb) => eb.or([eb('holder', 'is', null), eb('heartbeat_at', '<', sql<Date>`now() - make_interval(mins => ${STALE_MINUTES})`)]))
      .returning(['cursor', sql<string>`holder`.as('run')])
      .executeTakeFirst()
    if (!taken) return null
    await em.nativeUpdate(SyncRun, { job, state: 'running' }, { state: 'abandoned', finishedAt: platform.now() })
    await em.insert(SyncRun, { id: taken.run, job, scheduler: scheduler.name, startedAt: platform.now() })
    await note?.(em)
    return { job, ...taken }
  })
}

/**
 * One step of a run: atomically writes, moves the durable cursor and renews the lease. The lease row is locked meanwhile, so a run that
 * lost it cannot write. Throws `LeaseLost`.
 */
export function step(platform: Platform, lease: Lease, cursor: string | null, write: (em: EntityManager) => Promise<void>): Promise<void> {
  return platform.em().transactional(async (em) => {
    const held = await tables(em)
      .selectFrom('sync_job')
      .select('name')
      .where('name', '=', lease.job)
      .where('holder', '=', lease.run)
      .forUpdate()
      .executeTakeFirst()
    if (!held) throw new LeaseLost(`${lease.job} was taken over`)
    await write(em)
    await tables(em).updateTable('sync_job').set({ cursor, heartbeat_at: sql`now()` }).where('name', '=', lease.job).execute()
  })
}

/** The outcome of a run. */
export type RunEnd = Pick<SyncRun, 'counters' | 'errors' | 'errorDetails' | 'timeLimitReached'> & {
  state: 'finished' | 'failed'
  message: string | null
}

/**
 * Closes the run and releases the lease, retrying while the database does not answer until the lease is stale or the signal aborts:
 * otherwise a database failure of seconds would block the job for a quarter of an hour. A run that lost the lease was closed by its
 * successor, and nothing is left to do.
 */
export async function closeRun(platform: Platform, lease: Lease, end: RunEnd, signal: AbortSignal | undefined): Promise<void> {
  for (const from = performance.now(); ; ) {
    try {
      return await close(platform, lease, end)
    } catch (error) {
      if (signal?.aborted || performance.now() - from > STALE_MINUTES * 60_000) throw error
      await setTimeout(AGAIN_MS, undefined, signal ? { signal } : {}).catch(() => {}) // aborted: the next failure is thrown
    }
  }
}

const close = (platform: Platform, lease: Lease, end: RunEnd): Promise<void> =>
  platform.em().transactional(async (em) => {
    await em.nativeUpdate(SyncJob, { name: lease.job, holder: lease.run }, { holder: null, heartbeatAt: null })
    await em.nativeUpdate(SyncRun, { id: lease.run, state: 'running' }, { ...end, finishedAt: platform.now() })
  })
