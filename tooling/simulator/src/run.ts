import { parseArgs } from 'node:util'
import { readNumber } from '@augury/testing/read-number'
import { failingWorlds } from './failing-worlds.ts'
import { COMPARED_EVERY, type Ground, grounds, SHARES } from './hunt.ts'
import { SIZES, tryWorld, type World } from './one-seed.ts'
import { runSeed } from './run-seed.ts'
import { printScript, shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    ground: { type: 'string' },
    commands: { type: 'string', default: '20000' },
    /** With a seed: runs the rules without the reference exchange, for this many commands. */
    alone: { type: 'boolean', default: false },
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const number = (flag: 'seeds' | 'minutes' | 'commands'): number => readNumber(flag, values[flag])
const [seeds, minutes, commands] = [number('seeds'), number('minutes'), number('commands')]

const totals = {
  commands: 0,
  fills: 0,
  compared: 0,
  worlds: 0,
  answers: 0,
  starts: 0,
  crashes: 0,
  damages: 0,
  meetings: 0,
  heldOpen: 0,
  told: 0,
}
const seconds: Record<Ground, number> = { rules: 0, disasters: 0, takeovers: 0, crashes: 0, damage: 0, postgres: 0, history: 0 }

/** Runs one world. Returns the failure, or null. */
async function runOne(world: World): Promise<string | null> {
  const { failure, counts } = await tryWorld(world, { commands })
  for (const [name, count] of Object.entries(counts)) totals[name as keyof typeof totals] += count
  return failure
}

/** Prints a failing seed and, for the rules, the shortest script that still fails. */
function report({ ground, seed, compare }: World, failure: string): void {
  process.exitCode = 1
  print(`FAILED on ${ground} with seed ${seed}: ${failure}`)
  print(`again: npm run sim -- --ground ${ground} --seed ${seed}${compare ? '' : ' --alone'}`)
  if (ground !== 'rules') return
  const run = runSeed(seed, { commands: SIZES.compared, compare: true, thoroughEvery: 4 })
  const shortest = shrink(run.rows)
  if (!shortest) return
  print(`shortest script, ${shortest.script.length} commands: ${shortest.failure.what}`)
  print(printScript(shortest.script))
}

async function main(): Promise<void> {
  if (values.ground !== undefined && !Object.hasOwn(seconds, values.ground)) throw new Error(`there is no ground ${values.ground}`)
  const chosen = (values.ground ? [values.ground] : grounds) as Ground[]
  const first = values.seed === undefined ? Date.now() % 1_000_000_000 : readNumber('seed', values.seed)
  const last = first + (values.seed === undefined ? seeds : 1)
  print(`first seed ${first}`)
  for (const world of values.seed === undefined ? failingWorlds() : []) {
    const failure = await runOne(world)
    if (failure) return report(world, failure)
  }
  const until = performance.now() + minutes * 60_000
  const next = Object.fromEntries(chosen.map((ground) => [ground, first])) as Record<Ground, number>
  while (performance.now() < until) {
    const open = chosen.filter((ground) => next[ground] < last)
    const ground = open.sort((a, b) => seconds[a] / SHARES[a] - seconds[b] / SHARES[b])[0]
    if (!ground) break
    const started = performance.now()
    const seed = next[ground]++
    const compare = values.seed === undefined ? seed % COMPARED_EVERY === 0 : !values.alone
    const world: World = { ground, seed, compare: ground !== 'rules' || compare }
    const failure = await runOne(world)
    seconds[ground] += (performance.now() - started) / 1000
    if (failure) return report(world, failure)
  }
  const rate = (count: number, ground: Ground) => `${Math.round(count / Math.max(0.001, seconds[ground]))}/s`
  const took = (...of: Ground[]) => `${of.reduce((sum, ground) => sum + seconds[ground], 0).toFixed(1)} s`
  print(
    `rules      ${took('rules')}: ${totals.commands} commands (${rate(totals.commands, 'rules')}), ${totals.compared} compared, ${totals.fills} fills`,
  )
  print(`disasters  ${took('disasters', 'takeovers')}: ${totals.worlds} worlds, ${totals.starts} starts, ${totals.answers} answers`)
  print(`crashes    ${took('crashes')}: ${totals.crashes} recoveries (${rate(totals.crashes, 'crashes')})`)
  print(`damage     ${took('damage')}: ${totals.damages} recoveries`)
  if (totals.meetings > 0)
    print(
      `postgres   ${took('postgres')}: ${totals.meetings} meetings of two writers, ${totals.heldOpen} with a commit held open across the takeover`,
    )
  if (totals.told > 0) print(`history    ${took('history')}: ${totals.told} commands, all that history tells of them compared`)
  print('0 failures')
}

await main()
