import { expect, test } from 'vitest'
import { inTurns } from '../src/in-turns.ts'

test('rows are made in their order, without nulls, and others come between them', async () => {
  let turns = 0
  let over = false
  const count = () => {
    turns++
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  const rows = Array.from({ length: 1000 }, (_, nth) => nth)
  expect(await inTurns(rows, 100, (row) => (row % 2 === 0 ? row / 2 : null))).toEqual(rows.slice(0, 500))
  over = true
  expect(turns).toBeGreaterThanOrEqual(9)
})

test('a few rows are made in one turn', async () => {
  let elsewhere = false
  setImmediate(() => {
    elsewhere = true
  })
  expect(await inTurns([1, 2, 3], 100, String)).toEqual(['1', '2', '3'])
  expect(elsewhere).toBe(false)
})
