import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Command } from '@augury/cli/command'
import { commands } from '@augury/cli/commands/table'
import { everywhere } from '@augury/cli/usage'
import { parse, parseAllDocuments } from 'yaml'
import type { ShellCommand } from './documents.ts'
import { root } from './sources.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Files that exist only after running something. */
export const MADE: ReadonlySet<string> = new Set(['bench/load.md', 'bench/faults.md', 'deploy/.env', 'deploy/backups'])

const cliFlags = new Set([everywhere, ...Object.values(commands).map(({ flags }) => flags)].flatMap(Object.keys))

/** Flags of other people's programs. */
const OTHERS = new Set(['ignore-scripts'])

/** Whether any program of the repository has a flag. */
export const isKnownFlag = (flag: string): boolean =>
  OTHERS.has(flag) || cliFlags.has(flag) || Object.keys(scripts).some((name) => knowsFlag(name, flag))

/** What is wrong with a command: a program, file, script or flag that does not exist. */
export function problems({ program, args }: ShellCommand): string[] {
  const missing = (file: string) => (existsSync(join(root, file)) || MADE.has(file) ? [] : [`there is no ${file}`])
  const asked = args.slice(args.indexOf('--') + 1 || args.length)
  switch (program.split('/').at(-1)) {
    case 'npm': {
      if (args[0] === 'install') return []
      const name = args[0] === 'run' ? args[1]! : args[0]!
      if (!(name in scripts)) return [`there is no script ${name}`]
      return name === 'augury' ? cliProblems(asked) : scriptProblems(name, asked)
    }
    case 'node':
      return missing(at(args[0]!))
    case 'sh':
      return [...missing(args[0]!), ...argumentsOf(args[0]!, args.length - 1)]
    case 'vitest':
      return args.slice(1).flatMap(missing)
    case 'docker':
      return [...args.filter(isPath).flatMap(missing), ...serviceOf(args)]
    case 'kubectl':
      return [...args.filter(isPath).flatMap(missing), ...objectsOf(args)]
    case 'augury':
      return cliProblems(args)
    default:
      return [`unknown command ${program}`]
  }
}

/** Whether an argument is a file of ours: a leading slash means a path in a container, an equals sign a label. */
const isPath = (word: string) => word.includes('/') && !/^\/|=/.test(word)

/** Commands of `docker compose` after which a service is named. */
const OF_SERVICES = new Set(['run', 'exec', 'logs', 'restart', 'start', 'stop', 'up'])

/** The service that a `docker compose` command names, where the file has none such. */
function serviceOf(args: readonly string[]): string[] {
  const { services } = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as { services: object }
  const at = args.findIndex((word) => OF_SERVICES.has(word))
  const service = at < 0 ? undefined : args.slice(at + 1).find((word) => !word.startsWith('-'))
  return service === undefined || service in services || service === '…' ? [] : [`compose has no service ${service}`]
}

/** Objects that a `kubectl` command names and the manifests do not have. Jobs are made by commands. */
function objectsOf(args: readonly string[]): string[] {
  const there = globSync('deploy/kubernetes/*.yaml', { cwd: root })
    .flatMap((path) => parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((document) => document.toJS()))
    .map(({ kind, metadata }) => `${kind.toLowerCase()} ${metadata?.name}`)
  const named = [...args.join(' ').matchAll(/\b(statefulset|deployment|cronjob)[ /]([a-z][a-z-]*)/g)].map(
    ([, kind, name]) => `${kind} ${name}`,
  )
  return named.filter((each) => !there.includes(each)).map((each) => `the manifests have no ${each}`)
}

/** A program's file: from the root, which is /augury in the image, or where the document says that it is run. */
function at(file: string): string {
  const own = file.replace(/^\/augury\//, '')
  return ['', 'apps/web/'].map((folder) => folder + own).find((path) => existsSync(join(root, path))) ?? file
}

/** Our shell scripts state how many arguments they take. */
function argumentsOf(file: string, given: number): string[] {
  const wanted = /\[ \$# -eq (\d) \]/.exec(readFileSync(join(root, file), 'utf8'))?.[1]
  // A document may name the script alone.
  return given === 0 || given === Number(wanted) ? [] : [`${file} takes ${wanted} arguments`]
}

function cliProblems([name = '', ...args]: string[]): string[] {
  if (name === 'help' || name === '') return []
  const command: Command | undefined = commands[name]
  if (!command) return [`augury has no ${name}`]
  const options = Object.entries({ ...everywhere, ...command.flags }).map(
    ([flag, { value }]) => [flag, { type: value === undefined ? ('boolean' as const) : ('string' as const) }] as const,
  )
  try {
    const { positionals } = parseArgs({ args, options: Object.fromEntries(options), allowPositionals: true })
    const [least, most] = command.words
    // Prose may name a command without its arguments.
    return positionals.length <= most && (args.length === 0 || positionals.length >= least) ? [] : [`augury ${name} ${args.join(' ')}`]
  } catch (error) {
    return [(error as Error).message]
  }
}

/** The sources of a script's program: its folder, or its file where it is one of several programs of a folder. */
function programText(name: string): string {
  const runner = readFileSync(join(root, 'tooling/start/run.mjs'), 'utf8')
  const file =
    new RegExp(`^  '?${name}'?: '([^']+)'`, 'm').exec(runner)?.[1] ?? /(?<=node )\S+\.ts/.exec(scripts[name]!)?.[0] ?? 'package.json'
  const files = file.startsWith('tooling/') ? globSync(`${dirname(file)}/*.ts`, { cwd: root }) : [file]
  return files.map((each) => readFileSync(join(root, each), 'utf8')).join('\n')
}

/** Whether the sources of a program define a flag: in a table of options or scales, or literally. */
function knowsFlag(name: string, flag: string): boolean {
  const text = programText(name)
  return new RegExp(`['"\`]${flag}['"\`]|^\\s*'?${flag}'?: |[{,] ${flag}: |--${flag}\\b`, 'm').test(text)
}

function scriptProblems(name: string, args: readonly string[]): string[] {
  const flags = args.flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? [])
  const unknown = flags.filter((flag) => !knowsFlag(name, flag)).map((flag) => `${name} has no --${flag}`)
  const words = args.filter((word, n) => !word.startsWith('--') && !args[n - 1]?.startsWith('--') && word !== '…')
  if (name === 'faults')
    return [...unknown, ...words.filter((word) => !faultNames.includes(word)).map((word) => `no fault is called ${word}`)]
  if (name === 'bench') return [...unknown, ...words.filter((word) => !benchRows.has(word))]
  if (name === 'attack') return [...unknown, ...words.filter((word) => !programText(name).includes(`what === '${word}'`))]
  return unknown
}

const faultNames = globSync('tooling/faults/src/*.ts', { cwd: root })
  .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/^\s*name: ['`](.*)['`],$/gm)].map(([, name]) => name))
  .join('\n')
const benchRows = new Set(
  globSync('tooling/bench/src/rows/*.ts', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bid: '(\w+)'/g)].map(([, id]) => id!),
  ),
)
