import { expect, test } from 'vitest'
import { seriesMonth } from './series-month.ts'

// Thirty days of it: npm run series-month
test('three days of series with kills, two workers, a bad source and a jumping clock: everything agrees in the end', {
  timeout: 300_000,
}, async () => {
  expect(await seriesMonth(3, 20_261_120)).toBeGreaterThan(12)
})
