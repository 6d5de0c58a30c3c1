import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { type MeasuredRun, measured, regressions } from './check.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { closePlatformScene } from './service/platform-scene.ts'
import { closeSharedScene } from './service/shared-scene.ts'
import { renderTable } from './table.ts'

// Measures every row, or those whose numbers are given; `--quick` less of each. A run of all rows is kept in bench/latest.md and, for
// `--check`, in bench/latest.json: that measures again, three times, keeps nothing, and fails when something is worse beyond noise.
const root = resolve(import.meta.dirname, '../../..')
const quick = process.argv.includes('--quick')
const isCheck = process.argv.includes('--check')
const sockets = Number(process.argv.find((argument) => argument.startsWith('--sockets='))?.split('=')[1]) || undefined
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
/** Runs of a check: their spread says what is noise. */
const REPEATS = 3
const chosen = rows.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
if (chosen.length === 0) {
  console.error(`There is no row ${wanted.join(', ')}. There are: ${[...new Set(rows.map(({ id }) => id))].join(', ')}.`)
  process.exit(1)
}

const [loadBefore] = loadavg()
const begun = performance.now()
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
const kept = join(root, 'bench', 'latest.json')
const mode = quick ? 'quick' : 'full'

try {
  if (isCheck) await check()
  else keep(await measure())
} finally {
  await closeSharedScene()
  await closePlatformScene()
}

type Lines = { row: Row; result: Awaited<ReturnType<Row['measure']>> }[]

async function measure(): Promise<Lines> {
  const lines: Lines = []
  for (const row of chosen) {
    console.log(`  … ${row.id} ${row.work}`)
    lines.push({ row, result: await row.measure({ rounds: quick ? 5 : 7, quick, ...(sockets ? { sockets } : {}) }) })
  }
  return lines
}

function keep(lines: Lines): void {
  const busy = `${loadBefore!.toFixed(1)} programs wanted a processor before it began and ${loadavg()[0]!.toFixed(1)} when it ended, which slows most what waits for several programs`
  const seconds = Math.round((performance.now() - begun) / 1000)
  const today = new Date().toISOString().slice(0, 10)
  const text = [
    '# Benchmarks',
    '',
    `${today} on ${machine}${quick ? ', quick' : ''}. Medians; ours and its peers take turns in every round, so compare within a row. ${busy}.`,
    '',
    renderTable(lines),
    '',
  ].join('\n')
  console.log(`\n${renderTable(lines)}\n\n${seconds} s on ${machine}; ${busy}`)
  if (wanted.length > 0) return
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
  const runs: MeasuredRun[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    console.log(`${repeat + 1} of ${REPEATS}`)
    runs.push({ at: '', machine, rows: measured(await measure()) })
  }
  const worse = regressions(before, runs)
  for (const sentence of worse) console.log(`WORSE  ${sentence}`)
  const figures = runs[0]!.rows.length
  console.log(`${figures} rows against those of ${before.at} on ${before.machine}: ${worse.length} worse beyond noise`)
  if (worse.length > 0) process.exitCode = 1
}
