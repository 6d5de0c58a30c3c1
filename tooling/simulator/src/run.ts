import { parseArgs } from 'node:util'
import { runSeed } from './run-seed.ts'
import { printScript, shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    commands: { type: 'string', default: '4000' },
    compare: { type: 'string', default: '4' },
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs seeds until they or the minutes are used up. One in `compare` runs beside the reference exchange. */
function main(): void {
  const first = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed)
  const seeds = values.seed === undefined ? Number(values.seeds) : 1
  const until = performance.now() + Number(values.minutes) * 60_000
  const total = { seeds: 0, commands: 0, fills: 0, compared: 0 }
  const started = performance.now()
  for (let seed = first; seed < first + seeds && performance.now() < until; seed++) {
    const compare = values.seed !== undefined || seed % Number(values.compare) === 0
    const run = runSeed(seed, { commands: Number(values.commands), compare, thoroughEvery: compare ? 1 : 50 })
    total.seeds++
    total.commands += run.commands
    total.fills += run.fills
    if (compare) total.compared += run.commands
    if (!run.failure) continue
    report(seed)
    return
  }
  const seconds = (performance.now() - started) / 1000
  const rate = Math.round(total.commands / seconds)
  print(
    `seeds ${first} … ${first + total.seeds - 1}: ${total.commands} commands, ${total.fills} fills, ${total.compared} compared, 0 failures`,
  )
  print(`${seconds.toFixed(1)} s, ${rate} commands/s`)
}

/** Runs a failing seed again beside the reference exchange, and prints it with the shortest script that still fails. */
function report(seed: number): void {
  process.exitCode = 1
  const run = runSeed(seed, { commands: Number(values.commands), compare: true, thoroughEvery: 1 })
  print(`FAILED with seed ${seed}; again with: npm run sim -- --seed ${seed}`)
  if (run.failure) print(run.failure.what)
  const shortest = shrink(run.rows)
  if (!shortest) return
  print(`shortest script, ${shortest.script.length} commands: ${shortest.failure.what}`)
  print(printScript(shortest.script))
}

main()
