import { median } from './interleave.ts'
import type { Figure, Row } from './row.ts'

/** A row as it was measured: what a later run is compared with. */
export interface MeasuredRow {
  id: string
  work: string
  figures: Figure[]
}

/** A whole run, in a form that a program reads. */
export interface MeasuredRun {
  at: string
  /** Processors and Node: figures without a peer beside them mean something on the same machine only. */
  machine: string
  rows: MeasuredRow[]
}

/** By how much a figure may be worse whatever the rounds say, as a share: what one quiet machine does to the same program. */
const ALWAYS = 0.15
/** How many spreads of the repeated rounds are noise. */
const SPREADS = 2

/** Something that is compared: higher is better. */
interface Measure {
  name: string
  value: number
}

/** A row with what came of measuring it: figures, or why there are none. */
export interface Line {
  row: Pick<Row, 'id' | 'work'>
  result: Awaited<ReturnType<Row['measure']>>
}

/** The results that have figures, as rows of a run. */
export const measured = (lines: readonly Line[]): MeasuredRow[] =>
  lines.flatMap(({ row: { id, work }, result }) => ('figures' in result ? [{ id, work, figures: result.figures }] : []))

/**
 * What could not be compared, in sentences with the reason: a row without a figure, now or before, and a figure that was measured and is
 * not any more. A check that passed over them would hold whatever broke what measures it.
 */
export function uncompared(before: MeasuredRun, runs: readonly (readonly Line[])[]): string[] {
  const isOf =
    ({ id, work }: Line['row']) =>
    (row: Line['row']) =>
      row.id === id && row.work === work
  return (runs[0] ?? []).flatMap(({ row }) => {
    const isSame = isOf(row)
    const results = runs.flatMap((lines) => lines.filter((line) => isSame(line.row)).map(({ result }) => result))
    const named = (text: string) => [`${row.id} ${row.work}: ${text}`]
    const [why] = results.flatMap((result) => ('why' in result ? [result.why] : []))
    if (why !== undefined) return named(why)
    const former = before.rows.find(isSame)
    if (!former) return named(`the run of ${before.at} has no figure of it`)
    const names = new Set(results.flatMap((result) => ('figures' in result ? result.figures.map(({ name }) => name) : [])))
    const gone = former.figures.filter(({ name }) => !names.has(name)).map(({ name }) => name)
    return gone.length === 0 ? [] : named(`${gone.join(', ')} was measured and is not any more`)
  })
}

/**
 * What is worse in repeated runs than it was, beyond noise, in sentences: the median of the repeats against the former figure. Where a
 * peer was measured beside ours the ratio counts; other figures count on the same machine only.
 */
export function regressions(before: MeasuredRun, now: readonly MeasuredRun[]): string[] {
  const isSameMachine = now.every(({ machine }) => machine === before.machine)
  return before.rows.flatMap((row) => {
    const repeats = now.flatMap(({ rows }) => rows.filter(({ id, work }) => id === row.id && work === row.work))
    return measures(row, isSameMachine).flatMap(({ name, value }) => {
      const values = repeats
        .flatMap((repeat) => measures(repeat, isSameMachine).filter((each) => each.name === name))
        .map((each) => each.value)
      if (values.length === 0) return []
      const middle = median(values)
      const spread = (Math.max(...values) - Math.min(...values)) / middle
      const allowed = Math.max(ALWAYS, SPREADS * spread)
      if (middle >= value * (1 - allowed)) return []
      const [worse, noise] = [1 - middle / value, allowed].map((share) => `${Math.round(share * 100)} %`)
      return [`${row.id} ${row.work}: ${name} is ${worse} worse than it was (noise ${noise})`]
    })
  })
}

function measures({ figures }: MeasuredRow, isSameMachine: boolean): Measure[] {
  const [ours, ...others] = figures
  const peers = others.filter(({ name, unit }) => unit === ours?.unit && !name.startsWith('ours'))
  if (ours?.name === 'ours' && peers.length > 0)
    return peers.map(({ name, value }) => ({ name: `ours ÷ ${name}`, value: ours.value / value }))
  return figures.flatMap(({ name, value, unit }) => {
    if (value === 0 || !(isSameMachine || isSize(unit))) return []
    return [{ name, value: isLowerBetter(unit) ? 1 / value : value }]
  })
}

/** The same everywhere: bytes, and how many times of another figure of the same run. */
const isSize = (unit: string): boolean => unit === 'bytes' || unit === 'kB' || unit === '×'
const isLowerBetter = (unit: string): boolean => isSize(unit) || unit === 'ms' || unit === 's' || unit === 'µs'
