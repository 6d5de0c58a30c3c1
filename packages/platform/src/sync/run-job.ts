import type { EntityManager } from '@mikro-orm/postgresql'
import type { Scheduler } from '../identity/scheduler.ts'
import type { Platform } from '../platform.ts'
import { giveBack, type Lease, step, takeLease } from './lease.ts'

/** How long a run works before it leaves the rest to the next one, in milliseconds. */
const BUDGET_MS = 250_000
/** Item failures that are kept in words; all are counted. */
const DETAILS = 100

/** A failure of one item. */
export interface ItemError {
  context: string
  error: string
}

/** What a job sees of its run. */
export interface Run {
  /** Key of the last item of the previous step, or of the previous run; null at the beginning of a round. */
  readonly cursor: string | null
  /** Writes, moves the cursor past the items and keeps the lease, all or nothing. A null cursor ends the round. */
  step(cursor: string | null, write: (em: EntityManager) => Promise<void>): Promise<void>
  /** Notes that an item could not be dealt with; the run goes on. */
  fail(context: string, error: unknown): void
  /** Adds to a counter of the result. */
  count(counter: string, by: number): void
  /** False once the time is used up, or the process wants to end: stop between two steps. */
  hasTime(): boolean
}

/** A recurring job. `work` goes on from the cursor and returns at the end of the round or when there is no time left. */
export interface Job {
  name: string
  work(platform: Platform, run: Run): Promise<void>
}

/** How a run went, in the words of the sync routes: 200, 409 while another runs, 500. */
export type SyncResult =
  | { status: 200; body: { success: true; errors: number; errorDetails: ItemError[]; timeLimitReached: boolean } & Record<string, unknown> }
  | { status: 409; body: { success: false; message: string; skipped: true } }
  | { status: 500; body: { success: false; error: string } }

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
  if (!lease) return { status: 409, body: { success: false, message: 'Sync already running', skipped: true } }
  const run = new RunningJob(platform, lease, options)
  try {
    await job.work(platform, run)
  } catch (error) {
    options.onFailure?.(error)
    const message = describe(error)
    await giveBack(platform, lease, { ...run.end(), state: 'failed', message })
    return { status: 500, body: { success: false, error: message } }
  }
  const end = run.end()
  await giveBack(platform, lease, { ...end, state: 'finished', message: null })
  const { counters, errors, errorDetails, timeLimitReached } = end
  return { status: 200, body: { success: true, ...counters, errors, errorDetails, timeLimitReached } }
}

class RunningJob implements Run {
  readonly #platform: Platform
  readonly #lease: Lease
  readonly #deadline: number
  readonly #signal: AbortSignal | undefined
  readonly #counters: Record<string, number> = {}
  readonly #errors: ItemError[] = []
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

  async step(cursor: string | null, write: (em: EntityManager) => Promise<void>): Promise<void> {
    await step(this.#platform, this.#lease, cursor, write)
    this.cursor = cursor
  }

  fail(context: string, error: unknown): void {
    this.#failures++
    if (this.#errors.length < DETAILS) this.#errors.push({ context, error: describe(error) })
  }

  count(counter: string, by: number): void {
    this.#counters[counter] = (this.#counters[counter] ?? 0) + by
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
