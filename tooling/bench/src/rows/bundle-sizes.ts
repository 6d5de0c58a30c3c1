import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Row } from '../row.ts'

const root = resolve(import.meta.dirname, '../../../..')
const client = join(root, 'apps/web/build/client')

interface Chunk {
  file: string
  src?: string
  imports?: string[]
}

/** Targets in kB of gzipped JavaScript: what every page loads, and what a page loads with it. */
const pages = [
  { name: 'shell', limit: 60, sources: [] },
  { name: 'home', limit: 85, sources: ['src/routes/(site)/+page.svelte', 'src/routes/+page.svelte'] },
  { name: 'event', limit: 110, sources: ['src/routes/(site)/event/[slug]/+page.svelte', 'src/routes/event/[slug]/+page.svelte'] },
]

/** The JavaScript that the built site sends, counted as the browser loads it: entries and all they import. */
export const bundleSizes: Row = {
  id: '19',
  work: 'JavaScript of shell, home, event, gzip',
  target: '≤ 60, 85, 110 kB',
  async measure() {
    const manifestPath = join(root, 'apps/web/.svelte-kit/output/client/.vite/manifest.json')
    if (!existsSync(manifestPath) || !existsSync(client)) return { why: 'the site is not built: npm run build' }
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>
    const entries = Object.keys(manifest).filter((key) => /(entry|runtime)\/|runtime\/client\/entry|generated\/.*\/app\.js$/.test(key))
    const layouts = Object.keys(manifest).filter((key) => key.endsWith('+layout.svelte'))
    const figures = pages.map(({ name, sources }) => {
      const files = closure(manifest, [...entries, ...layouts.filter((key) => sources.length === 0 || isAbove(key, sources)), ...sources])
      return { name, value: Math.round(gzipped(files) / 100) / 10, unit: 'kB' }
    })
    return { figures, met: figures.every(({ value }, n) => value <= pages[n]!.limit) }
  },
}

function closure(manifest: Record<string, Chunk>, keys: string[]): Set<string> {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (chunk === undefined || seen.has(key)) return
    seen.add(key)
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  for (const [key, chunk] of Object.entries(manifest)) if (keys.some((wanted) => key === wanted || chunk.src === wanted)) visit(key)
  return files
}

const gzipped = (files: Set<string>) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(client, file))).length, 0)

const isAbove = (layout: string, sources: string[]) => sources.some((source) => source.startsWith(dirname(layout)))
