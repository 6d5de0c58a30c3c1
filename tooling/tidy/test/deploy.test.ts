import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../../..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const found = (pattern: string) => globSync(pattern, { cwd: root }).sort()

interface Rule {
  alert: string
  expr: string
  for?: string
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

/** Of the site, which has its figures with those who answer. */
const SITE = 'packages/rest/src/site-metrics.ts'
const figures = new Set(
  [...found('apps/*/src/**/*.ts'), SITE].flatMap((path) => text(path).match(/(?<=name: '|gauge\(\s*')augury_[a-z_]+/g) ?? []),
)

test('an alert asks for figures that programs give, and has its page in the runbook', () => {
  const rules = under(yaml('deploy/observability/alerts.yaml'), 'rules').flat() as Rule[]
  const pages = text('docs/operations/runbook.md').match(/(?<=^## ).+$/gm)
  expect(pages).toEqual(rules.map(({ alert }) => alert))
  expect(asked(rules.map(({ expr }) => expr).join(' ')).filter((name) => !figures.has(name))).toEqual([])
})

test('an alert is a rule as Prometheus reads it: one text, one severity, a time', () => {
  const rules = under(yaml('deploy/observability/alerts.yaml'), 'rules').flat() as Rule[]
  const shape = {
    annotations: { summary: expect.stringMatching(/^\S.*\.$/) },
    labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
    ...{ alert: expect.stringMatching(/^[A-Z]\w+$/), expr: expect.any(String) },
  }
  // A comma in a text without quotes would begin another key, and Prometheus refuse the file.
  for (const { for: during = '0s', ...rule } of rules) expect([rule, during]).toEqual([shape, expect.stringMatching(/^\d+[smh]$/)])
})

test('the dashboard asks for figures that programs give', () => {
  expect(asked(text('deploy/observability/dashboard.json')).filter((name) => !figures.has(name))).toEqual([])
})

/** Our figures in a query, by the names they were made with. */
const asked = (query: string) =>
  [...new Set(query.match(/augury_[a-z_]+/g))].map((name) => name.replace(/(?<=_(?:seconds|commands))_(bucket|sum|count)$/, ''))

const queries = [
  ...(under(yaml('deploy/observability/alerts.yaml'), 'rules').flat() as Rule[]).map(({ alert, expr }) => [alert, expr] as const),
  ...(under(JSON.parse(text('deploy/observability/dashboard.json')), 'panels').flat() as Panel[]).flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
]

test.each(queries)('%s asks by labels, operations and default figures that there are', (_, query) => {
  const labels = [
    ...[...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', ')),
    ...[...query.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, name]) => name!),
  ]
  expect(labels.filter((name) => !LABELS.has(name))).toEqual([])
  const named = [...query.matchAll(/operation=~?"([^"]*)"/g)].flatMap(([, names]) => names!.split('|'))
  expect(named.filter((name) => !operations.includes(`  ${name}: venueOperation(`))).toEqual([])
  const usual = query.match(/\b(nodejs|process)_[a-z0-9_]+/g) ?? []
  expect(usual.filter((name) => !defaults.includes(`'${name}'`))).toEqual([])
})

interface Panel {
  title: string
  targets: { expr: string }[]
}
/** Labels of our metrics; what Prometheus adds itself; and the steps of a histogram. */
const LABELS = new Set([
  ...[...found('apps/*/src/metrics.ts'), SITE]
    .flatMap((path) => text(path).match(/(?<=labelNames: \[)[^\]]*/g) ?? [])
    .flatMap((names) => names.match(/\w+/g)!),
  'instance',
  'le',
])
const operations = found('packages/wire/src/operations/*.ts').map(text).join('\n')
const defaults = found('apps/clob-server/node_modules/prom-client/lib/metrics/*.js').map(text).join('\n')

test('no figure has a label that Prometheus keeps for itself', () => {
  expect(
    ['job', 'instance'].filter((name) =>
      [...found('apps/*/src/metrics.ts'), SITE].some((path) => new RegExp(`labelNames: .*'${name}'`).test(text(path))),
    ),
  ).toEqual([])
})
