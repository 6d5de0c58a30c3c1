import { dirname } from 'node:path'
import { importsOf, resolveImport } from './imports.ts'
import type { Source } from './sources.ts'

/** Returns the folders that the files of each folder import, their own left out. */
export function folderImports(sources: Source[], packages: Map<string, string>): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const source of sources) {
    const folder = dirname(source.path)
    const others = imports.get(folder) ?? new Set()
    imports.set(folder, others)
    for (const name of importsOf(source)) {
      const target = resolveImport(source.path, name, packages)
      if (target !== null && dirname(target) !== folder) others.add(dirname(target))
    }
  }
  return imports
}

/** Returns the knots (strongly connected components): folders of which each reaches each other by imports. */
export function knots(imports: Map<string, Set<string>>): string[][] {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder, imports)]))
  const found = new Set<string>()
  const all: string[][] = []
  for (const [folder, others] of reached) {
    if (found.has(folder) || !others.has(folder)) continue
    const knot = [...others].filter((other) => reached.get(other)?.has(folder)).sort()
    for (const member of knot) found.add(member)
    all.push(knot)
  }
  return all
}

/** Returns the folders that a folder reaches by one import or more; itself only where the imports come back to it. */
function reachedFrom(folder: string, imports: Map<string, Set<string>>): Set<string> {
  const reached = new Set(imports.get(folder))
  // the loop also visits what it adds
  for (const other of reached) for (const next of imports.get(other) ?? []) reached.add(next)
  return reached
}
