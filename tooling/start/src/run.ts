import { appendFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type StartSettings, startSettings } from '@augury/settings/env'
import { isFree } from '@augury/testing/free-port'
import { step } from '../progress.mjs'
import { adminLink } from './admin-link.ts'
import { openCatalogue } from './catalogue.ts'
import { claimDataFolder, makeDataFolder, removeData } from './data-folder.ts'
import { embeddedPostgres, prepareDatabases, requireNoWriter, startPostgres } from './databases.ts'
import { type Lifetime, lifetime } from './lifetime.ts'
import { type Settlement, settlementOf } from './local-chain.ts'
import { requireFree } from './ports.ts'
import { openSeries } from './series.ts'
import { services } from './services.ts'
import { buildSite } from './site.ts'
import { onStopRequest } from './stop-request.ts'
import { supervisor } from './supervisor.ts'
import { openWriterRelay, type WriterRelay } from './writer-relay.ts'

const root = resolve(import.meta.dirname, '../../..')

/** How to run: `watch` for developers, `reset` to start with empty databases. */
interface Way {
  watch: boolean
  reset: boolean
}

/**
 * Starts everything and keeps it running until asked to stop or a part ends by itself. Ends the process. `args` are the command line:
 * nothing, or `--reset`.
 */
export async function runEverything({ watch, args }: { watch: boolean; args: readonly string[] }): Promise<void> {
  const life = lifetime()
  try {
    const unknown = args.find((arg) => arg !== '--reset')
    if (unknown !== undefined) throw new Error(`There is no ${unknown} here, only --reset, which begins with empty databases.`)
    const way: Way = { watch, reset: args.length > 0 }
    const settings = startSettings()
    makeDataFolder(settings.dataDir)
    life.add(await claimDataFolder(settings.dataDir))
    if (way.reset) await step('begin anew', () => beginAnew(settings))
    await bringUp(way.reset ? startSettings() : settings, way, life) // the old secrets are gone as well
  } catch (error) {
    await life.end(1, `\n${error instanceof Error ? error.message : error}`)
  }
}

async function bringUp(settings: StartSettings, { watch, reset }: Way, life: Lifetime): Promise<void> {
  const logs = join(settings.dataDir, 'logs')
  const programs = supervisor({ logs, echo: watch, onEnd: (why) => void life.end(1, `\n${why}\nStopping everything.`) })
  onStopRequest(() => {
    if (life.ending) return void programs.stop() // asked twice: do not wait any longer
    console.log('\nStopping …')
    void life.end(0, 'Stopped.')
  })
  const postgres = embeddedPostgres(settings)
  const settlement = settlementOf(settings)
  await requireFree([
    { variable: 'WEB_PORT', port: settings.webPort },
    { variable: 'CLOB_PORT', port: settings.clobPort },
    { variable: 'WORKER_PORT', port: settings.workerPort },
    ...(settlement.kind === 'ledger' ? [] : [{ variable: 'SETTLER_PORT', port: settings.settlerPort }]),
    ...(settlement.kind === 'local' ? [{ variable: 'ANVIL_PORT', port: settings.anvilPort }] : []),
    ...(postgres && postgres.pid() === null ? [{ variable: 'PG_PORT', port: settings.pgPort }] : []),
  ])

  // The build needs no database: it runs in parallel with everything that comes before the site.
  const built = watch ? Promise.resolve() : step('site, build', () => buildSite(root, logs))
  built.catch(() => {}) // awaited below
  if (postgres) {
    const starting = startPostgres(postgres)
    life.add(async () => {
      const release = await starting.catch(() => null)
      await postgres.stop()
      release?.()
    })
    await step('PostgreSQL 18', () => starting.then(() => `127.0.0.1:${settings.pgPort}`))
  }
  const writer = await writerAddress(settings)
  life.add(writer.close)
  life.add(() => programs.stop())
  const chain = settlement.kind === 'local' ? step('chain', () => programs.start(settlement.anvil).then(() => settlement.url)) : null
  chain?.catch(() => {}) // awaited below
  await step('databases', () => prepareDatabases(settings))
  await requireNoWriter(settings)
  const { clobServer, web, syncWorker, marketMaker, settler } = services(root, settings, {
    ...{ watch, writerUrl: writer.url, settlement: settlement.env },
  })
  await step('order-book service', () => programs.start(clobServer).then(() => settings.publicClobUrl))
  const site = async () => {
    await built
    await step('site', () => programs.start(web).then(() => settings.origin))
  }
  const catalogue = async () => {
    if (settings.mode === 'sandbox') {
      await step('catalogue', (tell) => openCatalogue(root, settings, tell))
      await step('price series', () => openSeries(settings))
      // Before the worker, which reads the prices of the site when it starts: the first page shows them.
      await step('liquidity bot', () => programs.start(marketMaker))
    }
    await step('sync worker', () => programs.start(syncWorker))
  }
  const money = async () => {
    await chain
    if (settlement.kind !== 'ledger') await step('settler', () => programs.start(settler))
  }
  await Promise.all([site(), catalogue(), money()])

  const seconds = (Date.now() - Number(process.env.AUGURY_BEGUN ?? Date.now())) / 1000
  const line = { at: new Date().toISOString(), seconds, installed: process.env.AUGURY_INSTALLED === '1', reset, watch }
  appendFileSync(join(logs, 'starts.jsonl'), `${JSON.stringify(line)}\n`)
  announce(settings, settlement, postgres?.dataDir ?? null, seconds, await adminLink(settings))
}

/** Where the site and the worker reach the exchange: after a standby (`npm run standby`) took over, that is the standby. */
async function writerAddress({ clobUrl, clobPort, standbyPort }: StartSettings): Promise<Pick<WriterRelay, 'url' | 'close'>> {
  const isOurs = clobUrl === `http://127.0.0.1:${clobPort}`
  // What has the standby's port before us is another deployment's.
  if (!isOurs || !(await isFree(standbyPort))) return { url: clobUrl, close: async () => {} }
  return openWriterRelay([clobUrl, `http://127.0.0.1:${standbyPort}`])
}

function announce(
  { mode, origin, publicClobUrl, dataDir, host }: StartSettings,
  settlement: Settlement,
  folder: string | null,
  seconds: number,
  admin: string | null,
): void {
  const sandbox =
    mode === 'sandbox' ? [`\n  This is a sandbox: play money from a faucet, listening on ${host} only. Never let real funds near it.`] : []
  const lines = [
    `\n  Site                 ${origin}`,
    `  Order-book service   ${publicClobUrl}`,
    `  Settlement           ${settlement.words}`,
    `  Data and logs        ${dataDir}`,
    ...(folder === null || folder.startsWith(dataDir)
      ? []
      : [`  Database files       ${folder}, because PostgreSQL, which never runs as root, cannot enter the data folder`]),
    ...(admin === null ? [] : [`  Become its admin     ${admin}`]),
    ...sandbox,
    `\nReady in ${seconds.toFixed(1)} s. Ctrl-C stops everything.`,
  ]
  console.log(lines.join('\n'))
}

async function beginAnew(settings: StartSettings): Promise<string> {
  const postgres = embeddedPostgres(settings)
  await postgres?.stop('immediate')
  removeData(settings.dataDir)
  return postgres ? 'data, secrets and logs are gone' : 'secrets and logs are gone; empty your own databases yourself'
}
