import { expect, test } from 'vitest'
import { pages } from '../src/pages.ts'

const list = (asked: (string | undefined)[]) => async (cursor: string | undefined) => {
  asked.push(cursor)
  return { data: [cursor], next_cursor: { start: 'b', b: 'c' }[cursor ?? 'start'] ?? (cursor === 'c' ? 'c' : 'LTE=') }
}

test('all pages are read, and a cursor that repeats itself ends the list', async () => {
  const rows: (string | undefined)[] = []
  for await (const row of pages(list([]))) rows.push(row)
  expect(rows).toEqual([undefined, 'b', 'c'])
})

test('a loop that is left asks for no further page', async () => {
  const asked: (string | undefined)[] = []
  for await (const row of pages(list(asked))) if (row === 'b') break
  expect(asked).toEqual([undefined, 'b'])
})
