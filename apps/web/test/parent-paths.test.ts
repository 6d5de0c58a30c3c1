import { globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROUTES = join(import.meta.dirname, '../src/routes')

/** Routes of people: those with a page. Parts in brackets vary. */
const pages = globSync('**/+page.svelte', { cwd: ROUTES }).map(dirname)

test('the parent path of every page leads somewhere', () => {
  const lost = pages.flatMap((page) => {
    const parts = page.split('/')
    const parents = parts.slice(1).map((_, n) => parts.slice(0, n + 1).join('/'))
    // An optional part is left out there: the page inside it is found.
    return parents.filter((parent) => !readdirSync(join(ROUTES, parent)).some((name) => /^(\+page\.|\+server\.|\[\[)/.test(name)))
  })
  expect([...new Set(lost)]).toEqual([])
})
