import { expect, test } from 'vitest'
import { inTurns, sortedInTurns, textInTurns } from '../src/base/in-turns.ts'

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

test.each([
  ['the first page', 0, 500],
  ['a page far behind', 9700, 100],
  ['the last page', 9950, 100],
  ['a page behind all of them', 20_000, 100],
])('%s of very many rows is sorted in turns', async (_, offset, limit) => {
  const rows = Array.from({ length: 10_000 }, (_, n) => (n * 7919) % 10_007)
  const compares = [0]
  const compare = (one: number, other: number) => {
    compares[compares.length - 1]!++
    return one - other
  }
  let over = false
  const count = () => {
    compares.push(0)
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  const page = await sortedInTurns(rows, compare, { offset, limit })
  over = true
  expect(page).toEqual(rows.toSorted((one, other) => one - other).slice(offset, offset + limit))
  expect(compares.filter((turn) => turn > 0).length).toBeGreaterThanOrEqual(5)
})

test('a few rows are made in one turn', async () => {
  let elsewhere = false
  setImmediate(() => {
    elsewhere = true
  })
  expect(await inTurns([1, 2, 3], 100, String)).toEqual(['1', '2', '3'])
  expect(elsewhere).toBe(false)
})

const row = (n: number) => ({ n, text: `“${n}”`, none: undefined, of: [null, undefined] })
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n))

test.each([
  ['no rows', []],
  ['few rows', rows(3)],
  ['many rows', rows(1000)],
  ['one row more than in a turn', rows(201)],
  ['a page of many rows', { data: rows(401), seq: 7, next_cursor: 'LTE=' }],
  ['a page of nothing but many rows', { data: rows(401) }],
  ['a page with rows at its end', { none: undefined, limit: 401, data: rows(401) }],
  ['a page of a few', { data: rows(2), seq: 7 }],
  ['something else', { success: true, data: 'none' }],
  ['nothing', null],
])('the text of %s is its JSON', async (_, output) => {
  expect(JSON.parse(await textInTurns(output))).toEqual(JSON.parse(JSON.stringify(output)))
})

test('many rows become text in turns', async () => {
  let turns = 0
  let over = false
  const count = () => {
    turns++
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  await textInTurns({ data: rows(2000) })
  over = true
  expect(turns).toBeGreaterThanOrEqual(9)
})
