import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attempt } from './attempt.ts'
import { type MeasuredRun, measured, regressions, uncompared } from './check.ts'
import { circumstances, headCommit, machine } from './circumstances.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { closePlatformScene } from './service/platform-scene.ts'
import { closeSharedScene } from './service/shared-scene.ts'
import { renderTable } from './table.ts'

// Measures every row, or those whose numbers are given; `--quick` less of each. A run of all rows is kept in bench/latest.md, row by row
// as they come, and, for `--check`, in bench/latest.json: that measures again, three times, keeps nothing, and fails when something is
// worse beyond noise or could not be compared: what needs a site, or a compiler, is checked where there is one. A row that breaks or takes too long says so in its place, and the others are measured all the same.
const root = resolve(import.meta.dirname, '../../..')
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    /** How many sockets listen, where that can be chosen. */
    sockets: { type: 'string' },
  },
})
const { quick, check: isCheck } = values
const sockets = Number(values.sockets) || undefined
/** Runs of a check: their spread says what is noise. */
const REPEATS = 3
/** The longest row takes a part of it on a quiet machine. */
const PATIENCE_MS = 15 * 60_000
const chosen = rows.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
if (chosen.length === 0) {
  console.error(`There is no row ${wanted.join(', ')}. There are: ${[...new Set(rows.map(({ id }) => id))].join(', ')}.`)
  process.exit(1)
}

const [loadBefore] = loadavg()
const begun = performance.now()
const commit = headCommit()
const kept = join(root, 'bench', 'latest.json')
const mode = quick ? 'quick' : 'full'
let isGivenUp = false

try {
  if (isCheck) await check()
  else console.log(`\n${renderTable(await measure(keep))}\n\n${conditions()}`)
} finally {
  await closeSharedScene()
  await closePlatformScene()
}
if (isGivenUp) process.exit() // what was given up on may still hold something open

type Lines = { row: Row; result: Awaited<ReturnType<Row['measure']>> }[]

/** Measures what was chosen; `each` sees all lines after every one. */
async function measure(each: (lines: Lines) => void = () => {}): Promise<Lines> {
  const lines: Lines = []
  for (const row of chosen) {
    const since = performance.now()
    const { result, broken, late } = await attempt(row, { rounds: quick ? 5 : 7, quick, ...(sockets ? { sockets } : {}) }, PATIENCE_MS)
    if (broken) process.exitCode = 1
    isGivenUp ||= late
    console.log(`  ${((performance.now() - since) / 1000).toFixed(0).padStart(4)} s  ${row.id} ${row.work}`)
    lines.push({ row, result })
    each(lines)
  }
  return lines
}

/** When, where and how it was measured. */
function conditions(): string {
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  const how = `${circumstances(commit)}${quick ? ', quick' : ''}; ${minutes} minutes`
  return `${how}. ${loadBefore!.toFixed(1)} programs wanted a processor before it began and ${loadavg()[0]!.toFixed(1)} when it ended, which slows most what waits for several programs.`
}

/** Keeps what is measured so far, unless it is of some rows alone. */
function keep(lines: Lines): void {
  if (wanted.length > 0) return
  const today = new Date().toISOString().slice(0, 10)
  const medians = 'Medians; ours and its peers take turns in every round, so compare within a row.'
  const text = ['# Benchmarks', '', `${conditions()} ${medians}`, '', renderTable(lines), ''].join('\n')
  mkdirSync(join(root, 'bench'), { recursive: true })
  writeFileSync(join(root, 'bench', 'latest.md'), text)
  writeFileSync(kept, `${JSON.stringify({ ...former(), [mode]: { at: today, machine, rows: measured(lines) } }, null, 1)}\n`)
}

/** The runs that were kept, by their mode. */
function former(): { quick?: MeasuredRun; full?: MeasuredRun } {
  return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
}

async function check(): Promise<void> {
  const before = former()[mode]
  if (!before)
    throw new Error(`there is no ${mode} run in bench/latest.json to compare with: run npm run bench${quick ? ' -- --quick' : ''} first`)
  const runs: Lines[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    console.log(`${repeat + 1} of ${REPEATS}`)
    runs.push(await measure())
  }
  const worse = regressions(
    before,
    runs.map((lines) => ({ at: '', machine, rows: measured(lines) })),
  )
  const left = uncompared(before, runs)
  for (const sentence of worse) console.log(`WORSE  ${sentence}`)
  for (const sentence of left) console.log(`NOT COMPARED  ${sentence}`)
  const against = `${chosen.length} rows against those of ${before.at} on ${before.machine}`
  console.log(`${against}: ${worse.length} worse beyond noise, ${left.length} not compared`)
  if (machine !== before.machine) console.log('On another machine only sizes and what stands beside a peer are compared.')
  if (worse.length + left.length > 0) process.exitCode = 1
}
