import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startSettings } from '@augury/settings/env'
import { step } from '../progress.mjs'
import { makeDataFolder } from './data-folder.ts'
import { runJourneys, runProductionJourney } from './journeys.ts'
import { nearestTests } from './nearest-tests.ts'
import { onStopRequest } from './stop-request.ts'
import { closingLine, type Tally, tallyOfOne, tallyOfVitest } from './tally.ts'
import { runTool, type ToolResult } from './tool.ts'

const root = resolve(import.meta.dirname, '../../..')
const { dataDir } = startSettings()
const logs = join(dataDir, 'logs', 'test')
makeDataFolder(dataDir)
mkdirSync(logs, { recursive: true })
onStopRequest(() => process.exit(1)) // child processes end with us

/** A check that passes or fails as a whole, by a tool whose output goes to the log of that name. */
const tool =
  (name: string, log: string, ...command: [string, ...string[]]) =>
  async () =>
    tallyOfOne(name, await runTool({ name: log, command, cwd: root }, logs))

const checks: [name: string, run: () => Promise<Tally>][] = [
  ['lint', tool('biome', 'lint', 'biome', 'check', '.', '--max-diagnostics=40')],
  // One program: what packages take from each other is checked once.
  ['types', tool('tsc', 'types', 'tsc', '-p', '.')],
  ['types of the site', tool('svelte-check', 'types-site', 'turbo', 'run', 'typecheck', '--filter=@augury/web', '--only')],
  ['unused code', tool('knip', 'unused', 'knip', '--no-progress')],
  ['tests', runVitest],
  ['browser journeys', () => runJourneys(root, logs)],
  ['journey in production', () => runProductionJourney(root, logs)],
]

// Checks by their names, and paths whose nearest tests are to run.
const words = process.argv.slice(2)
const paths = words.filter((word) => !checks.some(([name]) => name === word))
const nearest = paths.flatMap((path) => nearestTests(root, path) ?? [])
const unknown = paths.find((path) => nearestTests(root, path) === undefined)
if (unknown !== undefined) {
  const names = checks.map(([name]) => `“${name}”`).join(', ')
  console.error(`There is no check “${unknown}”. There are: ${names}. A path with tests runs the ones nearest to it.`)
  process.exit(1) // a run that checked nothing must not look like a pass
}
const wanted = words.map((word) => (paths.includes(word) ? 'tests' : word))
const tallies: Tally[] = []
for (const [name, run] of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const work = async () => {
    tallies.push(await run())
    return closingLine(tallies.slice(-1))
  }
  await step(name, work, () => tallies.at(-1)?.failed === 0)
  for (const named of tallies.at(-1)?.names ?? []) console.log(`      ${named}`)
}

const details = tallies.flatMap((tally) => tally.details)
const report = [...details, closingLine(tallies)].join('\n\n')
writeFileSync(join(logs, 'summary.log'), `${report}\n`)
console.log(`${details.length > 0 ? `\n${details.join('\n\n')}\n` : ''}\nEverything that was said: ${logs}\n${closingLine(tallies)}`)
process.exit(tallies.some((tally) => tally.failed > 0) ? 1 : 0)

async function runVitest(): Promise<Tally> {
  const path = join(logs, 'vitest.json')
  rmSync(path, { force: true })
  const made = await makeOfSite()
  if (made.code !== 0) return tallyOfOne('what tests need of the site', made)
  // A test that passes at the second try is named at the end: one reader sees it, and a thousand others are not held up by it.
  const command: [string, ...string[]] = [
    'vitest',
    'run',
    '--retry=1',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
    ...nearest,
  ]
  return tallyOfVitest(path, await runTool({ name: 'tests', command, cwd: root }, logs))
}

/** Makes the site's messages and compiler settings where they are not there yet: on a fresh clone of which only tests are run. */
async function makeOfSite(): Promise<ToolResult> {
  const site = join(root, 'apps/web')
  if (['.svelte-kit', 'src/lib/paraglide'].every((folder) => existsSync(join(site, folder)))) return { code: 0, output: '' }
  const command: [string, ...string[]] = ['sh', '-c', 'node scripts/messages.ts && node_modules/.bin/svelte-kit sync']
  return runTool({ name: 'site', command, cwd: site }, logs)
}
