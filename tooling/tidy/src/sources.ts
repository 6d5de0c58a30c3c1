import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** Absolute folder of the repository. */
export const root = resolve(import.meta.dirname, '../../..')

/** A hand-written file of the repository. */
export interface Source {
  /** Relative to the root, with forward slashes. */
  path: string
  text: string
}

const MADE_BY_TOOLS = new Set(['node_modules', 'build', 'dist', 'test-results', 'playwright-report', 'paraglide', 'sbom.json'])
const TEXT = /\.(ts|mjs|svelte|css|html|json|md|yaml|yml|sh|sql)$/

/** Every text file below a folder that is not generated. Folders with a leading dot are skipped, except `.ci`. */
export function readSources(folder: string = root): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (MADE_BY_TOOLS.has(entry.name)) return []
    if (entry.isDirectory()) return isOpen(entry.name) ? readSources(path) : []
    if (!entry.isFile() || !(TEXT.test(entry.name) || path.includes('/.ci/'))) return []
    return [{ path: relative(root, path), text: readFileSync(path, 'utf8') }]
  })
}

/** Whether a file is program text, of any kind that imports. */
export const isCode = ({ path }: Source): boolean => /\.(ts|mjs|svelte)$/.test(path) && !path.endsWith('.d.ts')

/** Whether a file belongs to the tests of its package. */
export const isTest = ({ path }: Source): boolean => /\/(test|e2e)\//.test(path)

const isOpen = (name: string) => !name.startsWith('.') || name === '.ci'
