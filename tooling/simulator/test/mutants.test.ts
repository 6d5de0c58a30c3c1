import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from '../src/mutants.ts'
import { huntAll } from '../src/mutation-score.ts'

/** Mutants hunted in one run of the tests; all of them by `npm run sim:mutants`. */
const HUNTED = 8
const DAY_MS = 86_400_000

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))('there is a place for the mutant: %s', (_, { file, find, replace }) => {
  const source = readFileSync(new URL(`../../../packages/${file}`, import.meta.url), 'utf8')
  expect(source.split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

test("the simulator kills today's mutants", { timeout: 600_000 }, async () => {
  const first = (Math.floor(Date.now() / DAY_MS) * HUNTED) % mutants.length
  const todays = [...mutants, ...mutants].slice(first, first + HUNTED)
  const score = await huntAll(todays, { budgetMs: 60_000, parallel: 2 })
  expect(score.survivors).toEqual([])
})
