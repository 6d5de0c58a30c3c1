import type { Platform } from '@augury/platform/site/platform'
import { syncState } from '@augury/platform/sync/sync-state'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { OnRun } from './schedule.ts'

/** Metrics of a worker for Prometheus. Labels are from fixed sets. */
export interface Metrics {
  onRun: OnRun
  text(): Promise<string>
}

/**
 * Counts what a worker's jobs do, under the label `task`: Prometheus reserves `job`. What holds for all workers together is read from the
 * database at each scrape.
 */
export function openMetrics(platform: Platform): Metrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const runs = new Counter({
    name: 'augury_sync_runs_total',
    help: 'Runs of this worker by job and outcome: done, cut (out of time), skipped, failed.',
    labelNames: ['task', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'augury_sync_run_seconds',
    help: 'Duration of runs.',
    labelNames: ['task'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 250],
    registers,
  })
  const items = new Counter({
    name: 'augury_sync_items_total',
    help: 'Items that runs counted, by job and counter; failures under "errors".',
    labelNames: ['task', 'counter'],
    registers,
  })
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['task'], registers })
  const lag = gauge(
    'augury_sync_lag_seconds',
    'Since the last successful run of a job by any worker, or since its first run when none succeeded.',
  )
  const waiting = gauge('augury_sync_waiting_items', 'Items that failed and wait for their next attempt.')
  const dead = gauge('augury_sync_dead_letters', 'Items that failed so often that an operator should look.')

  return {
    onRun({ name: task }, result, milliseconds) {
      seconds.observe({ task }, milliseconds / 1000)
      runs.inc({ task, outcome: outcomeOf(result) })
      if (result instanceof Error || !result.success) return
      for (const [counter, value] of Object.entries(result)) if (typeof value === 'number') items.inc({ task, counter }, value)
    },
    async text() {
      for (const state of await syncState(platform)) {
        if (state.lag_seconds !== null) lag.set({ task: state.job }, state.lag_seconds)
        waiting.set({ task: state.job }, state.waiting)
        dead.set({ task: state.job }, state.dead)
      }
      return register.metrics()
    },
  }
}

function outcomeOf(result: Parameters<OnRun>[1]): 'done' | 'cut' | 'skipped' | 'failed' {
  if (result instanceof Error || 'error' in result) return 'failed'
  if (!result.success) return 'skipped'
  return result.timeLimitReached ? 'cut' : 'done'
}
