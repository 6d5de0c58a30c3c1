import { asRow, jsonBytes, withField } from '@augury/platform/cache/json-bytes'
import { expect, test } from 'vitest'

const textOf = (value: unknown) => jsonBytes(value).toString()

test('rows are made into JSON once, and lists of them read as if they were made whole', () => {
  const rows = [asRow({ id: 1, title: 'Über “Élan”' }), { id: 2 }, asRow({ id: 3, markets: [{ price: null }] })]
  const found = rows.map((row, n) => withField(row, { matched: n === 1 ? { name: 'Ōtautahi' } : null }))
  for (const value of [rows, found, [rows[1]], [], [rows[0], null, 'text', 4], found[2], null, 'text'])
    expect(textOf(value)).toBe(JSON.stringify(value))
  expect(jsonBytes(rows)).toBe(jsonBytes(rows))
  expect(textOf([...found, ...rows])).toBe(JSON.stringify([...found, ...rows]))
})
