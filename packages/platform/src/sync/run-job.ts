import { setTimeout } from 'node:timers/promises'
import { RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import type { SyncDone, SyncFailed, SyncSkipped } from '@augury/wire/platform/sync'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Scheduler } from '../identity/scheduler.ts'
import type { Platform } from '../platform.ts'
import { type ItemError, keepFailures, waitingItems } from './failures.ts'
import { giveBack, type Lease, step, takeLease } from './lease.ts'

/** How long a run works before it leaves the rest to the next one, in milliseconds. */
const BUDGET_MS = 250_000
/** Item failures that are kept in words; all are counted. */
const DETAILS = 100

/** What a job sees of its run. */
export interface Run {
  /** Key of the last item of the previous step, or of the previous run; null at the beginning of a round. */
  readonly cursor: string | null
  /**
   * Writes, moves the cursor past the items and keeps the lease, all or nothing. A null cursor ends the round. What failed since the last
   * step is kept with it, and forgotten of those items in `tried` that did not.
   */
  step(cursor: string | null, write: (em: EntityManager) => Promise<void>, tried?: readonly string[]): Promise<void>
  /** Notes that an item could not be dealt with; the run goes on. */
  fail(item: string, error: unknown): void
  /** Whether an item failed lately and is to be left alone for now. */
  waits(item: string): boolean
  /** Adds to a counter of the result. */
  count(counter: string, by: number): void
  /** Asks the exchange, again when it says that this was too often, as long as there is time to wait. */
  patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer>
  /** False once the time is used up, or the process wants to end: stop between two steps. */
  hasTime(): boolean
}

/** How a job reaches the part of the exchange that it needs; called once in a run. */
export type Ask<Name extends keyof VenueClient> = () => Promise<Pick<VenueClient, Name>>

/** A recurring job. `work` goes on from the cursor and returns at the end of the round or when there is no time left. */
export interface Job {
  name: string
  /** How often the worker runs it, in seconds; about every five minutes unless told. */
  everySeconds?: number
  work(platform: Platform, run: Run): Promise<void>
}

/** How a run went, in the words of the sync routes. */
export type SyncResult = SyncDone | SyncSkipped | SyncFailed

/** What a caller may say about a run. */
export interface RunOptions {
  budgetMs?: number
  /** Ends the run after its current step, as if its time were used up. */
  signal?: AbortSignal
  /** Hears why a run failed as a whole. */
  onFailure?: (error: unknown) => void
}

/** Runs a job unless it is running elsewhere. Never throws for what a job or its items do; the history has the reason. */
export async function runJob(platform: Platform, scheduler: Scheduler, job: Job, options: RunOptions = {}): Promise<SyncResult> {
  const lease = await takeLease(platform, scheduler, job.name)
  if (!lease) return { success: false, message: 'Sync already running', skipped: true }
  const run = new RunningJob(platform, lease, options)
  try {
    await run.begin()
    await job.work(platform, run)
  } catch (error) {
    options.onFailure?.(error)
    const message = describe(error)
    await giveBack(platform, lease, { ...run.end(), state: 'failed', message }, options.signal)
    return { success: false, error: message }
  }
  const end = run.end()
  await giveBack(platform, lease, { ...end, state: 'finished', message: null }, options.signal)
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
  /** Failures that no step has kept yet. */
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
    await step(this.#platform, this.#lease, cursor, async (em) => {
      await write(em)
      await keepFailures(em, this.#lease.job, this.#fresh, tried, this.#platform.now())
    })
    this.#fresh = []
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
        await setTimeout(pauseMs, undefined, this.#signal ? { signal: this.#signal } : {}).catch(() => {}) // woken to end
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

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500)
