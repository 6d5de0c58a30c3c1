// The one door of the repository: runs on the Node that the machine has (20 or newer), before anything is installed.
// It installs what the lock file says, Node 24 included, and hands over to that.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whenStarterEnds } from './family.mjs'
import { install } from './install.mjs'
import { bringsNode } from './own-node.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
const programs = {
  start: 'tooling/start/src/start.ts',
  dev: 'tooling/start/src/dev.ts',
  test: 'tooling/start/src/test.ts',
  import: 'packages/platform/src/catalogue/main.ts',
  bench: 'tooling/bench/src/main.ts',
  faults: 'tooling/faults/src/main.ts',
  load: 'tooling/load/src/main.ts',
  attack: 'tooling/attack/src/main.ts',
  standby: 'apps/clob-server/src/standby.ts',
  'rebuild-read-model': 'apps/clob-server/src/rebuild-read-model.ts',
  'rotate-keys': 'packages/platform/src/identity/rotate-keys.ts',
  'verify-audit': 'packages/platform/src/admin/verify-audit.ts',
  migrate: 'packages/domain/src/migrate.ts',
  rehearse: 'tooling/start/src/rehearse.ts',
  'deploy-contracts': 'tooling/start/src/deploy-contracts.ts',
  'accept-restored': 'apps/clob-server/src/accept-restored.ts',
}

/** Node flags of a program, if set: a standby by EXCHANGE_FLAGS of packages/testing, a load so that it seldom tidies its memory. */
const flags = {
  standby: ['--max-semi-space-size=8', '--no-parallel-scavenge', '--initial-old-space-size=128', '--concurrent-marking-max-worker-num=1'],
  bench: ['--initial-old-space-size=1024'],
  load: ['--initial-old-space-size=1024'],
}

/** What operators run by hand, also while `npm start` is stopped, and its PostgreSQL with it. */
const byHand = new Set(['rebuild-read-model', 'rotate-keys', 'verify-audit', 'migrate', 'accept-restored'])

const [name = 'start', ...args] = process.argv.slice(2)
const begun = Date.now()
try {
  await main()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function main() {
  const program = programs[name]
  if (program === undefined) throw new Error(`There is no command ${name}. There are: ${Object.keys(programs).join(', ')}.`)
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Error(`Node ${process.versions.node} is too old: install Node 20 or newer.`)
  process.stdout.on('error', () => {}) // its reader is gone; what runs is still to be stopped in order

  const dataDir = resolve(process.env.DATA_DIR || join(root, '.data'))
  const installed = await install(root, dataDir)
  const node = node24()
  const path = [...(byHand.has(name) ? ['tooling/start/src/beside-postgres.ts'] : []), program].map((each) => join(root, each))
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...(flags[name] ?? []), ...path, ...args], {
    cwd: root,
    // A session of its own: Ctrl-C reaches this process alone, which passes it on once.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules', '.bin'), dirname(node), process.env.PATH].join(delimiter),
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'), // every program starts in half a second less
      TURBO_TELEMETRY_DISABLED: '1',
      AUGURY_BEGUN: String(begun),
      AUGURY_INSTALLED: installed ? '1' : '',
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
  whenStarterEnds(() => child.kill('SIGTERM'))
  child.on('error', (error) => console.error(`Could not run ${node}: ${error.message}`))
  child.on('exit', (code) => process.exit(code ?? 1))
}

/** Returns the Node 24 of the packages, or this one where they bring none for the machine. */
function node24() {
  const installed = join(root, 'node_modules', '.bin', 'node')
  if (bringsNode(process.platform, process.arch) && existsSync(installed)) return installed
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Error(
    `On ${process.platform} ${process.arch} Node 24 does not come with the packages: install Node 24 and run this again with it.`,
  )
}
