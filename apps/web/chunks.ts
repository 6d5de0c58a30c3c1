import { resolve } from 'node:path'

/** What a bundler knows of its modules; the part of it that is needed here. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[]; code?: string | null } | null
}

const file = (path: string) => resolve(import.meta.dirname, 'src', path)
/** What every page begins with. */
const SHELL = ['hooks.client.ts', 'routes/+layout.ts', 'routes/+layout.svelte'].map(file)
/** The pages that most visits begin with: a list, and an event. */
const LIST = [file('routes/+page.svelte')]
const EVENT = ['+page.ts', '+page.svelte'].map((name) => file(`routes/event/[slug]/[[market]]/${name}`))
/** One door leads to the texts of all pages: what a module says is found by their names in it. */
const TEXTS = /paraglide\/messages/
const TEXT = /paraglide\/messages\/(\w+)\.js$/
const SAID = /\bm\.(\w+)\(/g

/**
 * The files in which a browser gets what every page loads, and what lists and events share. Left alone they would be fifty, most of them of
 * two hundred bytes, each asked for by itself and packed worse. What is not named here stays where it is; so does what loads something later,
 * because Kit would take what that needs for something to be loaded later too, and announce it to no page.
 */
export const firstChunks = [
  { name: chunk('shell', SHELL), priority: 2 },
  { name: chunk('pages', LIST, EVENT), priority: 1 },
]

/** The file of what all of these begin with: their modules, and the texts that they say. */
function chunk(name: string, ...pages: (readonly string[])[]) {
  return (id: string, graph: Graph) => {
    const text = TEXT.exec(id)?.[1]
    const holds = text
      ? pages.every((page) => said(page, graph).has(text))
      : !TEXTS.test(id) && pages.every((page) => reach(page, graph).has(id)) && loadsNothingLater(id, graph)
    return holds ? name : null
  }
}

const texts = new Map<readonly string[], Set<string>>()

/** The names of the texts that modules say at once. */
function said(roots: readonly string[], graph: Graph): Set<string> {
  const known = texts.get(roots)
  if (known) return known
  const names = [...reach(roots, graph)].flatMap((id) => [...(graph.getModuleInfo(id)?.code ?? '').matchAll(SAID)].map(([, name]) => name!))
  const found = new Set(names)
  texts.set(roots, found)
  return found
}

const reached = new Map<readonly string[], Set<string>>()

/** Everything that modules import at once, they included. The graph is whole before the first chunk is named. */
function reach(roots: readonly string[], graph: Graph): Set<string> {
  const known = reached.get(roots)
  if (known) return known
  const found = new Set(roots)
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) if (!TEXTS.test(next)) found.add(next)
  reached.set(roots, found)
  return found
}

const loadsNothingLater = (id: string, graph: Graph): boolean =>
  [...reach([id], graph)].every((each) => !graph.getModuleInfo(each)?.dynamicallyImportedIds.length)
