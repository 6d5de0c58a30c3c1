import type { Exchange } from '@augury/engine/exchange'
import { type Failure, type Row, Session } from './session.ts'
import { logarithmic } from './swarm.ts'
import { Workload } from './workload.ts'

/** Engine time at which every run begins. */
export const START = Date.UTC(2026, 0, 1)

/** Every so many full checks, the run continues from a snapshot of itself. */
const SNAPSHOT_LOOKS = 6

/** How a run is checked. */
export interface Watch {
  commands: number
  /** Whether to compare with the reference exchange. */
  compare: boolean
  /** Rows between two full checks. */
  thoroughEvery: number
}

export interface Run {
  commands: number
  fills: number
  failure: Failure | null
  /** Everything that was applied, up to the failure. Kept only with the reference exchange. */
  rows: Row[]
}

/** Generates the rows of a run: time advances, due orders are swept first (or sometimes are not), then come commands. */
export function nextRow(work: Workload, exchange: Exchange, at: number): Row {
  const { random, swarm } = work
  const leap = random.chance(swarm.leap) ? random.integer(0, 3_600_000) : 0
  const now = Math.ceil((at + leap + (random.chance(0.3) ? 0 : random.integer(0, swarm.step))) / swarm.beat) * swarm.beat
  const row: Row = { at: now, commands: [] }
  const due = exchange.nextDue()
  if (due !== null && due <= now && !random.chance(swarm.lateSweep)) row.commands.push({ type: 'sweep', limit: swarm.sweep })
  const length = logarithmic(random, 1, swarm.rowLength)
  for (let i = 0; i < length; i++) row.commands.push(work.next(now))
  return row
}

/** Runs one seed to its end, or to the first failure. */
export function runSeed(seed: number, watch: Watch): Run {
  const work = new Workload(seed)
  const session = new Session(watch.compare, undefined, watch.compare ? undefined : work.swarm.rules)
  const run: Run = { commands: 0, fills: 0, failure: null, rows: [] }
  let row: Row = { at: START, commands: [] }
  for (let count = 1; run.commands < watch.commands && !run.failure; count++) {
    row = nextRow(work, session.exchange, row.at)
    if (watch.compare) run.rows.push(row)
    run.commands += row.commands.length
    run.failure = session.apply(row, count % watch.thoroughEvery === 0)
    if (!run.failure && count % (watch.thoroughEvery * SNAPSHOT_LOOKS) === 0) run.failure = session.goOnFromSnapshot()
  }
  run.failure ??= session.apply({ at: row.at, commands: [] }, true)
  run.fills = session.fills
  return run
}
