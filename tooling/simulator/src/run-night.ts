import { execFileSync, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { readNumber } from '@augury/testing/read-number'
import { keepFailingWorld } from './failing-worlds.ts'
import { type Night, runNight } from './night.ts'

// Runs the simulator for hours, with one process per processor. Failing worlds are added to test/failing-worlds.jsonl, which `npm run sim`
// and the tests replay: commit the file with the fix. `--hours 8`, `--processes 2`, `--first SEED`.
const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '8' },
    processes: { type: 'string', default: String(availableParallelism()) },
    first: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** Internal: run as a child process, which reports to its parent in lines of JSON. */
    child: { type: 'boolean', default: false },
  },
})
const TOLD_EVERY_MS = 60_000
/** How many seeds each process has to itself. */
const APART = 1_000_000_000
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const ms = readNumber('hours', values.hours) * 3_600_000
const first = readNumber('first', values.first)

if (values.child) {
  let toldAt = performance.now()
  const night = await runNight({
    first,
    ms,
    failed: (world, what) => print(JSON.stringify({ failed: { ...world, what: what.split('\n')[0] } })),
    told: (sofar) => {
      if (performance.now() - toldAt < TOLD_EVERY_MS) return
      toldAt = performance.now()
      print(JSON.stringify({ night: sofar }))
    },
  })
  print(JSON.stringify({ night }))
} else {
  await main()
}

async function main(): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const nights: Night[] = []
  let ended = 0
  print(`${values.processes} processes for ${values.hours} hours from seed ${first} on, at ${commit}`)
  await Promise.all(
    Array.from({ length: readNumber('processes', values.processes) }, async (_, n) => {
      const args = ['--hours', values.hours, '--first', String(first + n * APART), '--child']
      const child = spawn(process.execPath, [import.meta.filename, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
      process.once('exit', () => child.kill('SIGKILL'))
      let rest = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) hear(n, JSON.parse(line))
      })
      const code = await new Promise((resolve) => child.once('close', resolve))
      if (code !== 0) {
        ended++
        print(`a process of the night ended with ${code}`)
      }
    }),
  )
  const failures = nights.reduce((sum, night) => sum + night.failures, 0)
  print(summary(nights))
  if (failures + ended > 0) process.exitCode = 1

  // biome-ignore lint/suspicious/noExplicitAny: what a child says
  function hear(n: number, said: any): void {
    if (said.night) nights[n] = said.night
    if (!said.failed) return
    const isNew = keepFailingWorld({ ...said.failed, commit })
    print(`FAILED on ${said.failed.ground} with seed ${said.failed.seed}: ${said.failed.what}${isNew ? '' : ' (known)'}`)
  }
}

function summary(nights: readonly Night[]): string {
  const totals: Record<string, number> = {}
  for (const { counts } of nights) for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count
  const sum = (key: 'seeds' | 'failures') => nights.reduce((total, night) => total + night[key], 0)
  const said = Object.entries(totals).map(([name, count]) => `${count} ${name}`)
  return `${sum('seeds')} seeds: ${said.join(', ')}; ${sum('failures')} failures`
}
