import { expect, test } from 'vitest'
import { seriesMonth } from './series-month.ts'

// Thirty days of it: npm run series-month
test('four days of series with kills, two workers, a bad source and a clock that jumps: everything agrees in the end', {
  timeout: 120_000,
}, async () => {
  expect(await seriesMonth(4, 20_261_120)).toBeGreaterThan(16)
})
