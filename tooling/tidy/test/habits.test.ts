import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countLines, emptyNames, isTooLong, rules } from '../src/rules.ts'
import { isCode, isTest, readSources } from '../src/sources.ts'

const sources = readSources()
const code = sources.filter(isCode)

test.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, { appliesTo, pattern }) => {
  const everyMatch = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)
  const wrong = sources
    .filter(({ path }) => appliesTo(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(everyMatch)].map((match) => `${path}:${countLines(text.slice(0, match.index))} ${match[0].trim()}`),
    )
  expect(wrong).toEqual([])
})

test('names say what a file is', () => {
  expect(code.map(({ path }) => path).filter((path) => emptyNames(path).length > 0)).toEqual([])
})

test('no file is too long to hold in mind', () => {
  const wrong = code.filter(isTooLong).map(({ path, text }) => `${path}: ${countLines(text)} lines`)
  expect(wrong).toEqual([])
})

test('half of the files have at most 70 lines', () => {
  const lengths = code
    .filter((source) => !isTest(source))
    .map(({ text }) => countLines(text))
    .sort((a, b) => a - b)
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(70)
})

test('two levels inside a package', () => {
  const deep = /^(packages|tooling|examples|apps\/(clob-server|settler|sync-worker))\/.*\/src\/([^/]+\/){3,}/
  expect(code.map(({ path }) => path).filter((path) => deep.test(path))).toEqual([])
})

test('every package has tests', () => {
  const packages = new Set(code.filter((source) => /^packages\/[^/]+\/src\//.test(source.path)).map(({ path }) => path.split('/')[1]!))
  const tested = new Set(code.filter(isTest).map(({ path }) => path.split('/')[1]!))
  expect([...packages].filter((name) => !tested.has(name))).toEqual([])
})

const found = (text: string, path = 'packages/x/src/y.ts') =>
  rules.filter(({ appliesTo, pattern }) => appliesTo(path) && pattern.test(text)).map(({ name }) => name)

test.each([
  ['const x = 1 // TODO: later', 'finish it'],
  ['const home = process.env.HOME', 'settings/env only'],
  [`import { HOME } from '$env/static/private'`, 'settings/env only'],
  ['const file = "/home/person/augury/x.ts"', 'your own machine'],
  ['"resolved": "https://registry.example.org/zod.tgz"', 'name no registry'],
  ["import fc from 'fast-check'", 'take properties from @augury/testing/properties'],
  [`export * from './price.ts'`, 'the file you mean'],
  ['// @ts-ignore', 'waiver'],
])('%j is noticed', (text, rule) => {
  expect(found(text)).toEqual([expect.stringContaining(rule)])
})

test.each([
  ['if (given === secret) return', 1],
  ['return key.passphraseHash.equals(hash)', 1],
  ['if (signature !== expected) throw', 1],
  ['const isSet = secret !== null && passphrase === undefined', 0],
  [`if (field === 'signature' || secret === '') return`, 0],
  ['return timingSafeEqual(hash(secret), kept)', 0],
])('%j compares secrets in a way that tells: %i', (text, count) => {
  expect(found(text, 'packages/venue/src/serve/access/gateway.ts')).toHaveLength(count)
})

test('text that is put into a page as markup is noticed', () => {
  const page = 'apps/web/src/routes/x/+page.svelte'
  expect(found('<p>{@html comment.content}</p>', page)).toEqual([expect.stringContaining('let Svelte escape')])
  expect(found('<p>{@html data.guide.html}</p>', page)).toEqual([])
})

test.each([
  ['tr {\n  position: relative;\n}', 1],
  ['td,\ntr.own:hover {\n  color: red;\n  position: relative;\n}', 1],
  ['tr {\n  color: red;\n}\ntd {\n  position: relative;\n}', 0],
])('%j places by the row of a table: %i', (text, count) => {
  expect(found(text, 'apps/web/src/lib/book/Ladder.svelte')).toHaveLength(count)
})

test.each([
  ['p {\n  font: 600 20px / 28px var(--font);\n}', 1],
  ['p {\n  font-size: 13px;\n}', 1],
  ['  --h1: 650 26px / 32px var(--font);', 1],
  ['p {\n  font: 600 1.25rem / 1.75rem var(--font);\n  height: 20px;\n}', 0],
])('%j measures letters in pixels: %i', (text, count) => {
  expect(found(text, 'apps/web/src/lib/book/Ladder.svelte')).toHaveLength(count)
})

test.each(['test.skip("x", () => {})', 'describe.only("x", () => {})', 'it.todo("x")', 'xit("x")'])('%j is noticed in a test', (text) => {
  expect(found(text, 'packages/x/test/y.test.ts')).toEqual(['run every test'])
})

test.each([
  ['packages/x/src/index.ts', ['index.ts']],
  ['packages/x/src/utils/price.ts', ['utils']],
  ['packages/x/src/helpers.ts', ['helpers.ts']],
  ['packages/x/src/indexer.ts', []],
  ['apps/web/src/lib/price.ts', []],
])('%s is named %j too little', (path, names) => {
  expect(emptyNames(path)).toEqual(names)
})

test('what tools make is no source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'augury-sources-'))
  try {
    mkdirSync(join(folder, 'dist'))
    for (const name of ['price.ts', 'sbom.json', 'dist/price.ts']) writeFileSync(join(folder, name), '{}')
    expect(readSources(folder).map(({ path }) => path.split('/').at(-1))).toEqual(['price.ts'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
