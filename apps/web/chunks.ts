import { resolve } from 'node:path'

/** What a bundler knows of its modules; the part of it that is needed here. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

const file = (path: string) => resolve(import.meta.dirname, 'src', path)
/** What every page begins with. */
const SHELL = ['hooks.client.ts', 'routes/+layout.ts', 'routes/+layout.svelte'].map(file)
/** The pages that most visits begin with: a list, and an event. */
const LIST = [file('routes/+page.svelte')]
const EVENT = ['+page.ts', '+page.svelte'].map((name) => file(`routes/event/[slug]/[[market]]/${name}`))
/** One door leads to the texts of all pages: which of them come along is for the bundler to say. */
const TEXTS = /paraglide\/messages/

/**
 * The files in which a browser gets what every page loads, and what lists and events share. Left alone they would be fifty, most of them of
 * two hundred bytes, each asked for by itself and packed worse. What is not named here stays where it is; so does what loads something later,
 * because Kit would take what that needs for something to be loaded later too, and announce it to no page.
 */
export const firstChunks = [
  { name: chunk('shell', (id, graph) => reach(SHELL, graph).has(id)), priority: 2 },
  { name: chunk('pages', (id, graph) => reach(LIST, graph).has(id) && reach(EVENT, graph).has(id)), priority: 1 },
]

function chunk(name: string, holds: (id: string, graph: Graph) => boolean) {
  return (id: string, graph: Graph) => (!TEXTS.test(id) && holds(id, graph) && loadsNothingLater(id, graph) ? name : null)
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
