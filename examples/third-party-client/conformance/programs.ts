import { execFile } from 'node:child_process'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

// biome-ignore lint/suspicious/noExplicitAny: programs of others, installed when they are run, without their types here
export type Program = any

/** Loads a program of npm, unmodified. Heavy ones are no packages of the workspace: they are installed beside it when first needed. */
export async function program(name: string, version: string, entry: string): Promise<Program> {
  const folder = join(tmpdir(), 'conformance', `${name.replaceAll('/', '-')}-${version}`)
  const file = join(folder, 'node_modules', name, entry)
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder })
  }
  return import(pathToFileURL(file).href)
}

/** A call that has no answer by then has failed. */
const PATIENCE = 15_000
const late = () => new Promise<never>((_, fail) => setTimeout(fail, PATIENCE, new Error('no answer')).unref())

/** Runs calls of a program one after the other, whatever becomes of each, and counts. */
export class Tally {
  readonly #name: string
  readonly failed: string[] = []
  total = 0

  /** `name` with its version. */
  constructor(name: string) {
    this.#name = name
  }

  /** Makes a call. Its answer is undefined when it failed. */
  async try(call: string, make: () => Promise<Program>): Promise<Program> {
    this.total++
    try {
      return await Promise.race([make(), late()])
    } catch (error) {
      this.failed.push(`${call}: ${String((error as Error).message).slice(0, 200)}`)
    }
  }

  /** One line: the program, what passed of how many, and what did not and why. */
  line(): string {
    const failed = this.failed.length === 0 ? '' : `; not: ${this.failed.join('; ')}`
    return `${this.#name}: ${this.total - this.failed.length} of ${this.total}${failed}`
  }
}
