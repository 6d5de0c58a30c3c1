import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstChunks } from '../chunks.ts'

const src = (path: string) => resolve(import.meta.dirname, '../src', path)
const layout = src('routes/+layout.svelte')
const list = src('routes/+page.svelte')
const event = src('routes/event/[slug]/[[market]]/+page.svelte')
const text = src('lib/paraglide/messages/close.js')

const imports: Record<string, readonly string[]> = {
  [layout]: ['header', 'opener', text],
  header: ['runtime'],
  opener: ['key'],
  [list]: ['runtime', 'chart', 'card'],
  [event]: ['runtime', 'chart', 'ladder'],
  chart: ['axis'],
}
const later: Record<string, readonly string[]> = { opener: ['palette'], palette: [] }
const graph = {
  getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [], dynamicallyImportedIds: later[id] ?? [] }),
}

test.each<[id: string, chunk: string | null, why: string]>([
  ['header', 'shell', 'every page loads it'],
  ['runtime', 'shell', 'every page loads it, whoever else does'],
  ['key', 'shell', 'something that loads more later needs it at once'],
  ['opener', null, 'it loads something later'],
  [layout, null, 'what it imports loads something later'],
  [text, null, 'texts are placed by who reads them'],
  ['chart', 'pages', 'lists and events load it'],
  ['axis', 'pages', 'what they share needs it'],
  ['card', null, 'only lists load it'],
  ['ladder', null, 'only events load it'],
  ['palette', null, 'nobody loads it at first'],
])('%s goes to %s: %s', (id, chunk) => {
  const names = firstChunks.toSorted((a, b) => b.priority - a.priority).map(({ name }) => name(id, graph))
  expect(names.find((name) => name !== null) ?? null).toBe(chunk)
})
