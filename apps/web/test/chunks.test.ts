import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstChunks } from '../chunks.ts'

const src = (path: string) => resolve(import.meta.dirname, '../src', path)
const layout = src('routes/+layout.svelte')
const list = src('routes/+page.svelte')
const event = src('routes/event/[slug]/[[market]]/+page.svelte')
const text = (name: string) => src(`lib/paraglide/messages/${name}.js`)

const imports: Record<string, readonly string[]> = {
  [layout]: ['header', 'opener', text('_index')],
  header: ['runtime'],
  opener: ['key'],
  [list]: ['runtime', 'chart', 'card'],
  [event]: ['runtime', 'chart', 'ladder'],
  chart: ['axis'],
}
const code: Record<string, string> = {
  header: 'm.close(), m.search({ n })',
  chart: 'text(m.chance())',
  card: 'm.volume()',
  ladder: 'm.price(); m.close()',
  palette: 'm.found()',
}
const later: Record<string, readonly string[]> = { opener: ['palette'], palette: [] }
const graph = {
  getModuleInfo: (id: string) => ({
    importedIds: imports[id] ?? [],
    dynamicallyImportedIds: later[id] ?? [],
    code: code[id] ?? null,
  }),
}

test.each<[id: string, chunk: string | null, why: string]>([
  ['header', 'shell', 'every page loads it'],
  ['runtime', 'shell', 'every page loads it, along with others'],
  ['key', 'shell', 'something that loads more later needs it at once'],
  ['opener', null, 'it loads something later'],
  [layout, null, 'what it imports loads something later'],
  [text('close'), 'shell', 'every page says it'],
  [text('search'), 'shell', 'every page says it, with a figure'],
  [text('chance'), 'pages', 'lists and events say it'],
  [text('volume'), null, 'only lists say it'],
  [text('price'), null, 'only events say it'],
  [text('found'), null, 'the first load does not contain it'],
  [text('_index'), null, 'the door to all texts is no text'],
  ['chart', 'pages', 'lists and events load it'],
  ['axis', 'pages', 'what they share needs it'],
  ['card', null, 'only lists load it'],
  ['ladder', null, 'only events load it'],
  ['palette', null, 'the first load does not include it'],
])('%s goes to %s: %s', (id, chunk) => {
  const names = firstChunks.toSorted((a, b) => b.priority - a.priority).map(({ name }) => name(id, graph))
  expect(names.find((name) => name !== null) ?? null).toBe(chunk)
})
