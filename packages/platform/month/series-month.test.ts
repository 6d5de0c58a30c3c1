import { expect, test } from 'vitest'
import { seriesMonth } from '../test/series-month.ts'

test.each([1, 2])('thirty days of series from seed %i: ledger, payouts, history and statuses agree in the end', async (seed) => {
  expect(await seriesMonth(30, seed)).toBeGreaterThan(150)
})
