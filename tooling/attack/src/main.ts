import { readFileSync } from 'node:fs'
import { audit } from './audit.ts'
import { doors } from './doors.ts'
import { floods } from './floods.ts'
import { fuzz } from './fuzz.ts'
import { newMember, nobody } from './people.ts'
import { routesOf } from './routes.ts'
import { startSystem } from './system.ts'
import { comparisons, DIFFERENT, leak, leaking } from './timing.ts'

// Attacks a system of its own, or a running one that trusts this machine as a proxy: --site URL --exchange URL. Prints everything that it
// got away with. `--cases N` requests for each route (10 000), `--seed N`, `--only WORD` for routes and attacks whose name has the word.
// `timing` measures comparisons with secrets in this process (`--samples N` of each class), `audit` asks what is known of the packages;
// neither starts anything.
const args = process.argv.slice(2)
const option = (name: string) => (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
const say = (line: string) => process.stdout.write(`${line}\n`)
const cases = Number(option('cases') ?? 10_000)
const seed = Number(option('seed') ?? 1)
const only = option('only') ?? ''
const site = option('site')
const exchange = option('exchange')

if (args[0] === 'timing') process.exit(timing(Number(option('samples') ?? 100_000)) ? 0 : 1)
if (args[0] === 'audit') process.exit(audit(say))

const system = site && exchange ? { places: { site, exchange }, pids: () => [], stop: async () => {} } : await startSystem()
const { places } = system
let wrongs = 0
const report = (wrong: string[]) => {
  wrongs += wrong.length
  for (const sentence of wrong.slice(0, 10)) say(`  WRONG: ${sentence}`)
  if (wrong.length > 10) say(`  … and ${wrong.length - 10} more`)
}
/** Resident memory of the system's programs, in MB. */
const memory = () => system.pids().reduce((sum, pid) => sum + residentMb(pid), 0)

try {
  const member = await newMember(places, 'a member')
  for (const attack of [...doors, ...floods].filter(({ name }) => name.includes(only))) {
    const wrong = await attack.run(places, member)
    say(`${wrong.length === 0 ? 'held ' : 'BROKE'}  ${attack.name}`)
    report(wrong)
  }
  const routes = [...(await routesOf(places.site)), ...(await routesOf(places.exchange))].filter(({ path }) => path.includes(only))
  const people = [nobody, member, await newMember(places, 'another member')]
  const before = memory()
  for (const [index, route] of routes.entries()) {
    const { classes, p99, wrong } = await fuzz(route, people, cases, seed + index)
    const seen = [...classes].sort(([a], [b]) => a - b).map(([hundreds, count]) => `${hundreds}xx ${count}`)
    say(`${wrong.length === 0 ? 'held ' : 'BROKE'}  ${route.method} ${route.path}: ${seen.join(', ')}; p99 ${p99.toFixed(0)} ms`)
    report(wrong)
  }
  say(`${routes.length} routes × ${cases} requests; memory ${before.toFixed(0)} → ${memory().toFixed(0)} MB; ${wrongs} things wrong`)
  if (wrongs > 0) process.exitCode = 1
} finally {
  await system.stop()
}

/** Whether no comparison tells by its time how much of a guess was right, and one that does is found out. */
function timing(samples: number): boolean {
  const isFound = leak(leaking, samples) >= DIFFERENT
  say(`${isFound ? 'found ' : 'MISSED'} ${leaking.name}`)
  const leaks = comparisons.filter((comparison) => {
    const t = leak(comparison, samples)
    say(
      `${t < DIFFERENT ? 'held ' : 'LEAKS'}  ${comparison.name}: |t| = ${t.toFixed(2)} of ${samples} samples a class, ${DIFFERENT} would tell`,
    )
    return t >= DIFFERENT
  })
  return isFound && leaks.length === 0
}

function residentMb(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
  return (Number(pages) * 4096) / 1e6
}
