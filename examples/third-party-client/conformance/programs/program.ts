import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Trading, World } from '../../test/world.ts'

const run = promisify(execFile)

// biome-ignore lint/suspicious/noExplicitAny: programs of others, installed when they are run, without their types here
export type Program = any

/** A market with orders on both sides, and the maker who placed them. */
export interface Stage {
  world: World
  maker: Trading
}

/**
 * Loads a file of an npm package, unmodified. Heavy packages are not part of the workspace: npm installs them beside it when first needed, with
 * the packages that the program leaves to its user (`peers`, each with its version).
 */
export async function program(name: string, version: string, entry: string, peers: readonly string[] = []): Promise<Program> {
  const folder = join(tmpdir(), 'conformance', `${name.replaceAll('/', '-')}-${version}`)
  const file = join(folder, 'node_modules', name, entry)
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`, ...peers], { cwd: folder })
  }
  return import(pathToFileURL(file).href)
}

/** A call that has no answer by then has failed. */
const PATIENCE = 15_000
const late = () => new Promise<never>((_, fail) => setTimeout(fail, PATIENCE, new Error('no answer')).unref())

/** Runs calls of a program one after the other, whatever becomes of each, and counts. */
export class Tally {
  readonly name: string
  readonly failed: string[] = []
  total = 0

  /** `name` with its version. */
  constructor(name: string) {
    this.name = name
  }

  /**
   * Makes a call, and returns its answer, or undefined when it failed. `isRight` is for programs that swallow errors: they return an answer
   * without content instead.
   */
  async try(call: string, make: () => Promise<Program>, isRight: (answer: Program) => boolean = () => true): Promise<Program> {
    this.total++
    try {
      const answer = await Promise.race([make(), late()])
      if (!isRight(answer)) throw new Error(`answered ${JSON.stringify(answer)}`)
      return answer
    } catch (error) {
      this.failed.push(`${call}: ${String((error as Error).message).slice(0, 300)}`)
    }
  }

  /** Number of calls that passed. */
  get passed(): number {
    return this.total - this.failed.length
  }

  /** One line: the program, what passed of how many, and what did not and why. */
  line(): string {
    const failed = this.failed.length === 0 ? '' : `; not: ${this.failed.join('; ')}`
    return `${this.name}: ${this.passed} of ${this.total}${failed}`
  }
}

/** Resolves with the first message that a subscription passes to `listen`, while `act` brings it about. */
export function heard(listen: (tell: (message: Program) => void) => unknown, act?: () => Promise<unknown>): Promise<Program> {
  return new Promise((tell) => {
    listen(tell)
    if (act) setTimeout(() => act().catch(() => undefined), 1500).unref()
  })
}
