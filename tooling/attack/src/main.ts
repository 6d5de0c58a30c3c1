import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readNumber } from '@augury/testing/read-number'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { audit } from './audit.ts'
import { doors } from './doors.ts'
import { floods } from './floods.ts'
import { frames } from './frames.ts'
import { fuzz } from './fuzz.ts'
import { newMember, newPerson, type Person, visitor } from './people.ts'
import { type Route, routesOf } from './routes.ts'
import { type System, startSystem } from './system.ts'
import { comparisons, DIFFERENT, leak, leaking } from './timing.ts'

// Attacks a system of its own, or a running one that trusts this machine as a proxy: --site URL --exchange URL. Prints every success.
// `--cases N` requests for each route (10 000), `--lanes N` of them at a time (16), `--seed N`, `--only WORD` for routes and attacks whose
// name has the word. Then a second system of its own is attacked as an admin and operator, which changes it for good; `admins` does only
// that. `timing` measures comparisons with secrets in this process (`--samples N` of each class), `audit` looks for known vulnerabilities
// of the packages; neither starts anything.
const {
  values,
  positionals: [what],
} = parseArgs({
  allowPositionals: true,
  options: {
    site: { type: 'string' },
    exchange: { type: 'string' },
    cases: { type: 'string', default: '10000' },
    lanes: { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    samples: { type: 'string', default: '100000' },
  },
})
const { site, exchange, only } = values
const number = (flag: 'cases' | 'lanes' | 'seed' | 'samples'): number => readNumber(flag, values[flag])
const [cases, lanes, seed, samples] = [number('cases'), number('lanes'), number('seed'), number('samples')]
if (what !== undefined && !['admins', 'timing', 'audit'].includes(what))
  throw new Error(`there is no attack ${what}: admins, timing, audit`)
const say = (line: string) => process.stdout.write(`${line}\n`)

if (what === 'timing') process.exit(timing(samples) ? 0 : 1)
if (what === 'audit') process.exit(audit(say))

let wrongs = 0
const report = (wrong: string[]) => {
  wrongs += wrong.length
  for (const sentence of wrong.slice(0, 10)) say(`  WRONG: ${sentence}`)
  if (wrong.length > 10) say(`  … and ${wrong.length - 10} more`)
}

if (what !== 'admins')
  await over(site && exchange ? { places: { site, exchange }, pids: () => [], stop: async () => {} } : await startSystem(), anybody)
if (!site) {
  const key = generatePrivateKey()
  await over(await startSystem(key), (system) => admins(system, key))
}
say(`${wrongs} things wrong`)
if (wrongs > 0) process.exitCode = 1

/** Runs something with a system, which ends with it. */
async function over(system: System, work: (system: System) => Promise<void>): Promise<void> {
  try {
    await work(system)
  } finally {
    await system.stop()
  }
}

/** Attacks open to anybody: access control, floods, and every route, anonymously and as members. */
async function anybody(system: System): Promise<void> {
  const { places } = system
  const member = await newMember(places, 'a member')
  for (const attack of [...doors, ...floods, ...frames].filter(({ name }) => name.includes(only))) {
    const wrong = await attack.run(places, member)
    say(`${wrong.length === 0 ? 'held ' : 'BROKE'}  ${attack.name}`)
    report(wrong)
  }
  await routes(system, [visitor, member, await newMember(places, 'another member')], () => true)
}

/** Routes for admins and operators, as a person who is both. */
async function admins(system: System, key: Hex): Promise<void> {
  const admin = await newPerson(system.places, 'an admin', { wallet: privateKeyToAccount(key), scope: 'venue' })
  await routes(system, [admin], ({ path }) => /^\/(admin|operator)\//.test(path))
}

async function routes(system: System, people: readonly Person[], isAsked: (route: Route) => boolean): Promise<void> {
  const { places } = system
  const all = [...(await routesOf(places.site)), ...(await routesOf(places.exchange))]
  const chosen = all.filter((route) => isAsked(route) && route.path.includes(only))
  /** Resident memory of the system's programs, in MB. */
  const memory = () => system.pids().reduce((sum, pid) => sum + residentMb(pid), 0)
  const [before, begun] = [memory(), performance.now()]
  for (const [index, route] of chosen.entries()) {
    for (const person of people) await person.comeBack()
    const { classes, budget, p99, wrong } = await fuzz(route, people, cases, seed + index, lanes)
    const seen = [...classes].sort(([a], [b]) => a - b).map(([hundreds, count]) => `${hundreds}xx ${count}`)
    if (budget > 0) seen.push(`of these 429 ${budget}`)
    say(`${wrong.length === 0 ? 'held ' : 'BROKE'}  ${route.method} ${route.path}: ${seen.join(', ')}; p99 ${p99.toFixed(0)} ms`)
    report(wrong)
  }
  const seconds = (performance.now() - begun) / 1000
  const rate = `${seconds.toFixed(0)} s, ${((chosen.length * cases) / seconds).toFixed(0)} requests a second`
  say(`${chosen.length} routes × ${cases} requests, ${lanes} at a time: ${rate}; memory ${before.toFixed(0)} → ${memory().toFixed(0)} MB`)
}

/** Checks that no comparison reveals by its time how much of a guess was right, and that the test finds one that does. */
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
