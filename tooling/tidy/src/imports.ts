import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { root, type Source } from './sources.ts'

/** The imports of a file, as written: types, re-exports and dynamic imports included. */
export function importsOf({ path, text }: Source): string[] {
  const code = path.endsWith('.svelte') ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n') : text
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName)
}

/** Folder of each workspace package by its name, such as `packages/units` for `@augury/units`. */
export function workspaceFolders(sources: Source[]): Map<string, string> {
  const manifests = sources.filter(({ path }) => /^(packages|apps|tooling|examples)\/[^/]+\/package\.json$/.test(path))
  return new Map(manifests.map(({ path, text }) => [(JSON.parse(text) as { name: string }).name, dirname(path)]))
}

/**
 * The file of ours that an import refers to, from the root, without a query for the bundler; null for a library. Throws when it is ours and
 * does not exist.
 */
export function resolveImport(from: string, name: string, folders: Map<string, string>): string | null {
  const base = ourBase(from, name.split('?', 1)[0]!, folders)
  if (base === null) return null
  const found = [base, `${base}.ts`, base.replace(/\.js$/, '.ts')].find((path) => existsSync(join(root, path)))
  if (found === undefined && !/\/(\$types|build\/.*)$/.test(base)) throw new Error(`${from} imports ${name}, and there is no such file`)
  return found ?? null
}

function ourBase(from: string, name: string, folders: Map<string, string>): string | null {
  if (name.startsWith('.')) return normalize(join(dirname(from), name.split('?')[0]!))
  const app = from.split('/').slice(0, 2).join('/')
  if (name.startsWith('#lib/')) return join(app, 'src/lib', name.slice('#lib/'.length))
  const [scope, short, ...rest] = name.split('/')
  const folder = folders.get(`${scope}/${short}`)
  // What is built from other sources stands beside `src`.
  return folder === undefined ? null : join(folder, rest[0] === 'generated' ? '' : 'src', `${rest.join('/')}.ts`)
}

/** Every file that a set of files reaches by imports, with the file that imports it. */
export function reach(entries: Source[], sources: Source[], folders: Map<string, string>): Map<string, string | null> {
  const byPath = new Map([...sources, ...entries].map((source) => [source.path, source]))
  const reached = new Map<string, string | null>(entries.map(({ path }) => [path, null]))
  for (const [path] of reached) {
    // the loop also visits what it adds
    const source = byPath.get(path)
    if (source === undefined || !/\.(ts|mjs|svelte)$/.test(path)) continue
    for (const name of importsOf(source)) {
      const target = resolveImport(path, name, folders)
      if (target !== null && !reached.has(target)) reached.set(target, path)
    }
  }
  return reached
}

/** The import chain from an entry to a reached file, for a message. */
export function wayTo(path: string, reached: Map<string, string | null>): string {
  const way: string[] = []
  for (let at: string | null | undefined = path; at; at = reached.get(at)) way.unshift(at)
  return way.join(' → ')
}
