import { deepEqual, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import {
  clobDatabaseSettings,
  clobSettings,
  platformDatabaseSettings,
  settlerSettings,
  webSettings,
  workerSettings,
} from '@augury/settings/env'
import { isSecret, type Name, variables } from '@augury/settings/variables'
import { parseAllDocuments } from 'yaml'
import { root } from './sources.ts'

// No container engine is needed: the deployment files are compared with what the programs of the repository read and serve.
/** The text of a file of the repository. */
export const text = (path: string) => readFileSync(join(root, path), 'utf8')
/** Whether there is such a file or folder. */
export const isThere = (path: string) => existsSync(join(root, path))
/** Environment of a container; null for a variable without a value. */
export type Environment = Record<string, string | null>

/** YAML documents with their merge keys applied. Throws on any error in them. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the files say
export function yaml(path: string): any[] {
  return parseAllDocuments(text(path), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

/** The Dockerfile. */
export const dockerfile = text('deploy/Dockerfile')
/** The image's environment, and its default command. */
export const image = {
  environment: Object.fromEntries(
    [
      ...dockerfile
        .split(/^FROM /m)
        .at(-1)!
        .matchAll(/^ENV (.*)$/gm),
    ].flatMap(([, pairs]) => pairs!.split(' ').map((pair) => pair.split('='))),
  ) as Environment,
  command: JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[],
}

/** What a program reads, where it listens, and which of its paths are for probes. */
export interface Program {
  settings: (environment: Environment) => object
  port?: string
  probes?: readonly string[]
  metrics?: string
}
const served = (path: string, file: string) => {
  ok(text(file).includes(`'${path}'`), `${file} does not serve ${path}`)
  return path
}
/** Paths of the exchange for probes and metrics. */
export const exchangeProbes = ['/healthz', '/readyz'].map((path) => served(path, 'packages/wire/src/operations/service.ts'))
/** Every program of the image, by file and arguments. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  'apps/clob-server/src/standby.ts': {
    settings: clobSettings as Program['settings'],
    port: 'STANDBY_PORT',
    probes: exchangeProbes,
    metrics: 'METRICS_PORT',
  },
  'apps/clob-server/src/main.ts': {
    settings: clobSettings as Program['settings'],
    port: 'CLOB_PORT',
    probes: exchangeProbes,
    metrics: 'METRICS_PORT',
  },
  'apps/clob-server/src/accept-restored.ts': { settings: clobSettings as Program['settings'] },
  'server.mjs': {
    settings: webSettings as Program['settings'],
    port: 'WEB_PORT',
    probes: [...['/healthz', '/readyz'].map((path) => served(path, 'apps/web/server.mjs')), '/readyz?exclude=exchange'],
    metrics: 'METRICS_PORT',
  },
  'apps/sync-worker/src/main.ts': {
    settings: workerSettings as Program['settings'],
    port: 'WORKER_PORT',
    probes: ['/healthz', '/readyz'].map((path) => served(path, 'apps/sync-worker/src/health.ts')),
    metrics: 'WORKER_PORT',
  },
  'apps/settler/src/main.ts': {
    settings: settlerSettings as Program['settings'],
    port: 'SETTLER_PORT',
    probes: ['/healthz', '/readyz'].map((path) => served(path, 'apps/settler/src/health.ts')),
    metrics: 'SETTLER_PORT',
  },
  'packages/domain/src/migrate.ts clob': { settings: clobDatabaseSettings as Program['settings'] },
  'packages/domain/src/migrate.ts platform': { settings: platformDatabaseSettings as Program['settings'] },
  'packages/domain/src/await-migrated.ts clob': { settings: clobDatabaseSettings as Program['settings'] },
  'packages/domain/src/await-migrated.ts platform': { settings: platformDatabaseSettings as Program['settings'] },
}

/** The program that a command runs, in its folder: the image's working folder unless given. */
export function programOf(command: readonly string[], folder = '/augury'): Program {
  const at = command.findIndex((word) => /\.(ts|mjs)$/.test(word))
  const file = command[at]!
  const path = join(folder, file).replace('/augury/', '')
  ok(isThere(path), `there is no ${path}`)
  const name = Object.keys(PROGRAMS).find((each) => command.slice(at).join(' ') === each || each === file)
  ok(name !== undefined, `unknown command ${command.join(' ')}`)
  return PROGRAMS[name]!
}

/** The field of settings of a variable. */
export const camel = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
/** The port that the program reads: the value given, or the default. */
export const portOf = (name: string, environment: Environment) =>
  Number(environment[name] ?? (variables[name as keyof typeof variables].fallback as { both: string }).both)

/** Variables of a container that no program of ours reads: for the image's health check, and Node's own. */
const OTHERS = new Set(['HEALTH_URL', 'NODE_ENV', 'NODE_OPTIONS'])

/**
 * Checks a container of ours: its environment is valid in production, is read by its program, and has every secret that its program reads,
 * including optional ones.
 */
export function expectToStart(program: Program, shared: Environment, own: Environment) {
  const settings = program.settings({ ...image.environment, ...shared, ...own })
  const names = Object.keys(settings)
  const unread = Object.keys(own).filter((name) => !OTHERS.has(name) && !names.includes(camel(name)))
  deepEqual(unread, [], 'variables that the program does not read')
  const secrets = secretsOf(program)
  deepEqual(
    secrets.filter((name) => !(name in own)),
    [],
    'secrets that the program reads and is not given',
  )
}

/** Every secret that a program may be given. */
export const secretsOf = ({ settings }: Program): Name[] => {
  const names = Object.keys(settings({ ...env, ...DATABASES, MODE: 'production' }))
  return (Object.keys(variables) as Name[]).filter((name) => isSecret(name) && names.includes(camel(name)))
}

/** deploy/.env as deploy/make-env.sh writes it, with a wallet filled in. */
export const env: Environment = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'augury-env-'))
  try {
    copyFileSync(join(root, 'deploy/make-env.sh'), join(folder, 'make-env.sh'))
    execFileSync('sh', [join(folder, 'make-env.sh'), 'site.example.org', 'exchange.example.org'])
    return { ...parseEnv(readFileSync(join(folder, '.env'), 'utf8')), VENUE_ADDRESSES: `0x${'a1'.repeat(20)}` } as Environment
  } finally {
    rmSync(folder, { recursive: true })
  }
})()

/** Databases of a cluster, which are not in deploy/.env. */
export const DATABASES: Environment = { CLOB_DATABASE_URL: 'postgres://db/clob', DATABASE_URL: 'postgres://db/platform' }
