import { expect, test } from 'vitest'
import { imported, layered, mustNotReach, pure } from '../src/architecture.ts'
import { importsOf, reach, resolveImport, wayTo, workspaceFolders } from '../src/imports.ts'
import { folderImports, knots } from '../src/knots.ts'
import { impurities } from '../src/rules.ts'
import { isCode, isTest, readSources } from '../src/sources.ts'

const sources = readSources()
const code = sources.filter(isCode)
const folders = workspaceFolders(sources)
const within = (folder: string) => code.filter((source) => source.path.startsWith(`${folder}/`) && !isTest(source))
const oursIn = (names: string[]) => new Set(names.filter((name) => name.startsWith('@augury/')).map((name) => name.split('/')[1]!))

test('the table knows every package', () => {
  const packages = [...folders.values()].filter((folder) => folder.startsWith('packages/')).map((folder) => folder.split('/')[1])
  expect(Object.keys(imported).sort()).toEqual(packages.sort())
})

test.each(Object.entries(imported))('%s imports what the architecture says', (name, others) => {
  const used = oursIn(within(`packages/${name}/src`).flatMap(importsOf))
  expect([...used].filter((other) => other !== name).sort()).toEqual(others.toSorted())
})

test.each([...folders])('%s declares exactly the packages of ours that it uses', (name, folder) => {
  const manifest = JSON.parse(sources.find(({ path }) => path === `${folder}/package.json`)!.text)
  const declared = oursIn(Object.keys(manifest.dependencies ?? {}))
  const used = oursIn(within(folder).flatMap(importsOf))
  const own = name.split('/')[1]!
  expect([...declared].filter((other) => !used.has(other))).toEqual([])
  const inDev = oursIn(Object.keys(manifest.devDependencies ?? {}))
  expect([...used].filter((other) => other !== own && !declared.has(other) && !inDev.has(other))).toEqual([])
})

test.each(Object.entries(mustNotReach))('%s stands alone', (folder, forbidden) => {
  const reached = reach(within(folder), sources, folders)
  const wrong = [...reached.keys()].filter((path) => forbidden.some((pattern) => pattern.test(path)))
  expect(wrong.map((path) => wayTo(path, reached))).toEqual([])
})

test.each(layered)('the folders of %s are layers', (name) => {
  expect(knots(folderImports(within(`packages/${name}/src`), folders))).toEqual([])
})

test('a knot is found with every folder of it, and no other', () => {
  const imports = Object.entries({ site: ['cache'], cache: ['redis'], redis: ['site'], orders: ['site'], wire: [], a: ['b'], b: ['a'] })
  expect(knots(new Map(imports.map(([folder, others]) => [folder, new Set(others)])))).toEqual([
    ['cache', 'redis', 'site'],
    ['a', 'b'],
  ])
})

test.each(pure)('%s is pure', (name) => {
  const wrong = within(`packages/${name}/src`).flatMap((source) => [
    ...importsOf(source)
      .filter((other) => !/^(\.|@augury\/)/.test(other))
      .map((other) => `${source.path} imports ${other}`),
    ...impurities(source.text).map((found) => `${source.path} uses ${found}`),
  ])
  expect(wrong).toEqual([])
})

test('an import is followed to its file, in scripts of components too', () => {
  const component = {
    path: 'apps/web/src/routes/+page.svelte',
    text: `<script lang="ts">import { price } from '@augury/units/price'</script><p>import 'x'</p>`,
  }
  expect(importsOf(component)).toEqual(['@augury/units/price'])
  expect(resolveImport(component.path, '@augury/units/price', folders)).toBe('packages/units/src/price.ts')
  expect(resolveImport('packages/units/src/lots.ts', './price.ts', folders)).toBe('packages/units/src/price.ts')
  expect(resolveImport('packages/units/src/lots.ts', 'zod', folders)).toBe(null)
  expect(() => resolveImport('packages/units/src/lots.ts', './pence.ts', folders)).toThrow('no such file')
})

test('a file is found behind any number of imports, with the way to it', () => {
  const entry = { path: 'packages/venue/src/somewhere.ts', text: `import '@augury/engine/exchange'` }
  const reached = reach([entry], sources, folders)
  const way = wayTo('packages/engine/src/ladder.ts', reached)
  expect(way).toMatch(
    /^packages\/venue\/src\/somewhere\.ts → packages\/engine\/src\/exchange\.ts → .* → packages\/engine\/src\/ladder\.ts$/,
  )
})

test.each(['Date.now()', 'new Date(0)', 'Math.random()', 'process.hrtime()', 'console.log(1)', 'fetch("/")', 'await work()'])(
  '%s is not pure',
  (text) => {
    expect(impurities(`const x = () => ${text}`)).toHaveLength(1)
  },
)

test('naming a clock in a comment is pure', () => {
  expect(impurities('/** Never Date.now(). */\nconst x = 1 // Math.random() neither')).toEqual([])
})
