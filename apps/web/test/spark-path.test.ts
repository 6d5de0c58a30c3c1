import { expect, test } from 'vitest'
import { sparkPath } from '#lib/charts/spark-path.ts'

test.each([
  ['nothing', [], ''],
  ['one price', [5000], ''],
  ['what stands still, in the middle', [5000, 5000], 'M0 12L72 12'],
  ['a rise over the height less its margins', [1000, 2000, 3000], 'M0 22L36 12L72 2'],
  ['a small move as a calm line', [5000, 5020], 'M0 13L72 11'],
])('a spark line of %s', (_, prices, path) => {
  expect(sparkPath(prices, 72, 24)).toBe(path)
})
