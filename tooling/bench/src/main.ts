import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { closePlatformScene } from './service/platform-scene.ts'
import { closeSharedScene } from './service/shared-scene.ts'
import { renderTable } from './table.ts'

const root = resolve(import.meta.dirname, '../../..')
const quick = process.argv.includes('--quick')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const chosen = rows.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
if (chosen.length === 0) {
  console.error(`There is no row ${wanted.join(', ')}. There are: ${[...new Set(rows.map(({ id }) => id))].join(', ')}.`)
  process.exit(1)
}

const [loadBefore] = loadavg()
const begun = performance.now()
const lines: { row: Row; result: Awaited<ReturnType<Row['measure']>> }[] = []
try {
  for (const row of chosen) {
    console.log(`  … ${row.id} ${row.work}`)
    lines.push({ row, result: await row.measure({ rounds: quick ? 5 : 7, quick }) })
  }
} finally {
  await closeSharedScene()
  await closePlatformScene()
}

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
const busy = `${loadBefore!.toFixed(1)} programs wanted a processor before it began and ${loadavg()[0]!.toFixed(1)} when it ended, which slows most what waits for several programs`
const seconds = Math.round((performance.now() - begun) / 1000)
const text = [
  '# Benchmarks',
  '',
  `${new Date().toISOString().slice(0, 10)} on ${machine}${quick ? ', quick' : ''}. Medians; ours and its peers take turns in every round, so compare within a row. ${busy}.`,
  '',
  renderTable(lines),
  '',
].join('\n')
console.log(`\n${renderTable(lines)}\n\n${seconds} s on ${machine}; ${busy}`)
mkdirSync(join(root, 'bench'), { recursive: true })
if (wanted.length === 0) writeFileSync(join(root, 'bench', 'latest.md'), text)
