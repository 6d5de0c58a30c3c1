import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Bytes, gzipped, that a page may load before it works: product.md 5.11. */
const BUDGETS = [
  { name: 'JavaScript: shell', kind: 'imports', route: null, limit: 60_000 },
  { name: 'JavaScript: home', kind: 'imports', route: '/', limit: 85_000 },
  { name: 'JavaScript: event', kind: 'imports', route: '/event/[slug]/[[market]]', limit: 110_000 },
  { name: 'CSS: home', kind: 'stylesheets', route: '/', limit: 20_000 },
  { name: 'CSS: event', kind: 'stylesheets', route: '/event/[slug]/[[market]]', limit: 24_000 },
] as const

/** What one row came to. */
export interface Size {
  name: string
  bytes: number
  limit: number
}

interface Loads {
  imports: string[]
  stylesheets: string[]
}
interface Manifest {
  client: Loads
  nodes: (() => Promise<Loads>)[]
  routes: { id: string; page: { layouts: (number | undefined)[]; errors: (number | undefined)[]; leaf: number } | null }[]
}

/** Adds up what each page of a built site loads first. Throws when there is no build. */
export async function measure(site: string): Promise<Size[]> {
  const manifestPath = join(site, 'build/server/manifest-full.js')
  if (!existsSync(manifestPath)) throw new Error('The site is not built: run its build first.')
  const { manifest } = (await import(manifestPath)) as { manifest: Manifest }
  const gzipped = (file: string) => gzipSync(readFileSync(join(site, 'build/client', file)), { level: 9 }).length

  async function files(kind: keyof Loads, route: string | null): Promise<Set<string>> {
    const page = manifest.routes.find(({ id }) => id === route)?.page
    if (route !== null && !page) throw new Error(`The build has no page ${route}.`)
    const nodes = page ? [...page.layouts, ...page.errors.slice(0, 1), page.leaf] : [0]
    const loads = await Promise.all(nodes.filter((n) => n !== undefined).map((n) => manifest.nodes[n]!()))
    return new Set([manifest.client, ...loads].flatMap((each) => each[kind]))
  }

  const sizes: Size[] = []
  for (const { name, kind, route, limit } of BUDGETS) {
    const bytes = [...(await files(kind, route))].reduce((sum, file) => sum + gzipped(file), 0)
    sizes.push({ name, bytes, limit })
  }
  return [...sizes, { name: 'Font: Latin', bytes: latinFont(site), limit: 60_000 }]
}

/** The one font file that every page loads; it is compressed already. */
function latinFont(site: string): number {
  const table = readFileSync(join(site, 'build/adapter-node.js'), 'utf8')
  const file = /_app\/immutable\/assets\/inter-latin-wght-normal\.[\w-]+\.woff2/.exec(table)?.[0]
  if (!file) throw new Error('The build has no Latin font.')
  return statSync(join(site, 'build/client', file)).size
}

if (import.meta.main) {
  const sizes = await measure(join(import.meta.dirname, '..'))
  for (const { name, bytes, limit } of sizes) {
    const mark = bytes <= limit ? 'ok' : 'TOO LARGE'
    process.stdout.write(
      `${name.padEnd(20)} ${(bytes / 1000).toFixed(1).padStart(6)} kB of ${(limit / 1000).toFixed(0).padStart(4)}  ${mark}\n`,
    )
  }
  process.exitCode = sizes.every(({ bytes, limit }) => bytes <= limit) ? 0 : 1
}
