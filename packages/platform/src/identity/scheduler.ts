declare const proven: unique symbol

/** Who may run jobs: the worker's own process, or a caller who knew the scheduler's secret. */
export interface Scheduler {
  /** Appears in the history of runs. */
  readonly name: string
  readonly [proven]: true
}

/** The identity of a worker process; only its composition root makes one. */
export const workerScheduler = (name: string): Scheduler => ({ name }) as Scheduler
