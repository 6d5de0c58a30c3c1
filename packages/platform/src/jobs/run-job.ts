import { setTimeout } from 'node:timers/promises'
import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { tables } from '@augury/domain/platform/tables'
import type { SyncDone, SyncFailed, SyncSkipped } from '@augury/wire/platform/sync'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Scheduler } from '../authorization/scheduler.ts'
import { plain } from '../outbound/plain-text.ts'
import type { Platform } from '../site/platform.ts'
import { type ItemError, keepFailures, waitingItems } from './failures.ts'
import { closeRun, type Lease, step, takeLease } from './lease.ts'

/** How long a run works before it leaves the rest to the next one, in milliseconds. */
const BUDGET_MS = 250_000
/** Most item failures kept with their message; all are counted. */
const DETAILS = 100

/** A job's view of its run. */
export interface Run {
  /** Key of the last item of the previous step or run; null at the beginning of a round. */
  readonly cursor: string | null
  /**
   * Atomically writes, moves the cursor past the items and renews the lease. A null cursor ends the round. Failures since the last step are
   * stored with it; those of items in `tried` that did not fail are deleted.
   */
  step(cursor: string | null, write: (em: EntityManager) => Promise<void>, tried?: readonly string[]): Promise<void>
  /** Records that an item could not be processed; the run goes on. */
  fail(item: string, error: unknown): void
  /** Whether an item failed lately and is to be skipped for now. */
  waits(item: string): boolean
  /** Adds to a counter of the result. */
  count(counter: string, by: number): void
  /** Calls the exchange, retrying when it is rate limited, while there is time. */
  patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer>
  /** False once the time is used up or the process is stopping: stop between two steps. */
  hasTime(): boolean
}

/** Gives a job the exchange operations that it needs; called once per run. */
export type Ask<Name extends keyof VenueClient> = () => Promise<Pick<VenueClient, Name>>

/** A recurring job. `work` resumes at the cursor and returns at the end of the round or when there is no time left. */
export interface Job {
  name: string
  /** Interval of the worker in seconds; about five minutes by default. */
  everySeconds?: number
  work(platform: Platform, run: Run): Promise<void>
}

/** The result of a run, in the terms of the sync routes. */
export type SyncResult = SyncDone | SyncSkipped | SyncFailed

/** Options of a run. */
export interface RunOptions {
  budgetMs?: number
  /** Ends the run after its current step, as if its time were used up. */
  signal?: AbortSignal
  /** Written in the transaction that opens the run, if this call opens one. */
  note?: (em: EntityManager) => Promise<void>
  /** Receives the reason why a run failed as a whole. */
  onFailure?: (error: unknown) => void
}

/** Runs a job unless it is running elsewhere. Never throws for failures of the job or its items; the history has the reason. */
export async function runJob(platform: Platform, scheduler: Scheduler, job: Job, options: RunOptions = {}): Promise<SyncResult> {
  const started = await startJob(platform, scheduler, job, options)
  return started ? started.ended : { success: false, message: 'Sync already running', skipped: true }
}

/** Starts a job. Null while it is running elsewhere; else the id of the run, and its result, as of `runJob`, once it ended. */
export async function startJob(
  platform: Platform,
  scheduler: Scheduler,
  job: Job,
  options: RunOptions = {},
): Promise<{ id: string; ended: Promise<SyncDone | SyncFailed> } | null> {
  const lease = await takeLease(platform, scheduler, job.name, options.note)
  return lease && { id: lease.run, ended: workThrough(platform, lease, job, options) }
}

async function workThrough(platform: Platform, lease: Lease, job: Job, options: RunOptions): Promise<SyncDone | SyncFailed> {
  const run = new RunningJob(platform, lease, options)
  try {
    await requireSameClock(platform)
    await run.begin()
    await job.work(platform, run)
  } catch (error) {
    options.onFailure?.(error)
    const message = describe(error)
    await closeRun(platform, lease, { ...run.end(), state: 'failed', message }, options.signal)
    return { success: false, error: message }
  }
  const end = run.end()
  await closeRun(platform, lease, { ...end, state: 'finished', message: null }, options.signal)
  const { counters, errors, errorDetails, timeLimitReached } = end
  return { success: true, ...counters, errors, errorDetails, timeLimitReached }
}

class RunningJob implements Run {
  readonly #platform: Platform
  readonly #lease: Lease
  readonly #deadline: number
  readonly #signal: AbortSignal | undefined
  readonly #counters: Record<string, number> = {}
  readonly #errors: ItemError[] = []
  #waiting: ReadonlySet<string> = new Set()
  /** Failures that no step has stored yet. */
  #fresh: ItemError[] = []
  #failures = 0
  #cut = false
  cursor: string | null

  constructor(platform: Platform, lease: Lease, { budgetMs = BUDGET_MS, signal }: RunOptions) {
    this.#platform = platform
    this.#lease = lease
    this.#deadline = platform.now().getTime() + budgetMs
    this.#signal = signal
    this.cursor = lease.cursor
  }

  async begin(): Promise<void> {
    this.#waiting = await waitingItems(this.#platform.em(), this.#lease.job, this.#platform.now())
  }

  async step(cursor: string | null, write: (em: EntityManager) => Promise<void>, tried: readonly string[] = []): Promise<void> {
    let kept: ItemError[] = []
    try {
      await step(this.#platform, this.#lease, cursor, async (em) => {
        await write(em)
        kept = this.#fresh
        this.#fresh = [] // concurrent steps each store their own failures
        await keepFailures(em, this.#lease.job, kept, tried, this.#platform.now())
      })
    } catch (error) {
      this.#fresh = [...kept, ...this.#fresh]
      throw error
    }
    this.cursor = cursor
  }

  fail(item: string, error: unknown): void {
    const failure = { context: item, error: describe(error) }
    this.#fresh.push(failure)
    this.#failures++
    if (this.#errors.length < DETAILS) this.#errors.push(failure)
  }

  waits(item: string): boolean {
    return this.#waiting.has(item)
  }

  count(counter: string, by: number): void {
    this.#counters[counter] = (this.#counters[counter] ?? 0) + by
  }

  async patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof RefusedError && error.status === 429)) throw error
        const pauseMs = (error.retryAfter ?? 1) * 1000
        if (!this.hasTime() || this.#platform.now().getTime() + pauseMs >= this.#deadline) throw error
        await setTimeout(pauseMs, undefined, this.#signal ? { signal: this.#signal } : {}).catch(() => {}) // aborted: the caller checks the signal
      }
    }
  }

  hasTime(): boolean {
    this.#cut ||= this.#signal?.aborted === true || this.#platform.now().getTime() >= this.#deadline
    return !this.#cut
  }

  end() {
    return { counters: this.#counters, errors: this.#failures, errorDetails: this.#errors, timeLimitReached: this.#cut }
  }
}

/**
 * Throws unless our clock agrees with the database's, as far as the round trip lets it be measured. A worker with a clock that is
 * ahead would end markets that are open and confirm proposals that may still be disputed.
 */
async function requireSameClock({ em, now, clockWithinMs }: Platform): Promise<void> {
  if (clockWithinMs === null) return
  const asked = now().getTime()
  const row = await tables(em()).selectNoFrom(sql<Date>`clock_timestamp()`.as('at')).executeTakeFirstOrThrow()
  const theirs = row.at.getTime()
  const apart = asked > theirs ? asked - theirs : Math.min(0, now().getTime() - theirs)
  if (Math.abs(apart) <= clockWithinMs) return
  const seconds = Math.round(Math.abs(apart) / 1000)
  throw new Error(`the clock of this machine is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} the database's: set the wrong one right`)
}

/** Makes a message storable, whatever was answered: text that the database refuses would be retried as if the database were down. */
const describe = (error: unknown) => plain(error instanceof Error ? error.message : String(error), 500)
