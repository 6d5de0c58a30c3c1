import { expect, test } from 'vitest'
import { joined, sampleCandles } from '#lib/charts/candles.ts'

const HOUR_MS = 3_600_000
const points = [0.4, 0.45, 0.38, 0.5, 0.6].map((p, i) => ({ t: i * (HOUR_MS / 2), p }))

test('samples make candles that open where the last one closed, without volume', () => {
  expect(sampleCandles(points, 3 * HOUR_MS, 60, 0)).toEqual([
    { t: 0, open: 4000, high: 4500, low: 4000, close: 4500, lots: 0 },
    { t: 3600, open: 4500, high: 5000, low: 3800, close: 5000, lots: 0 },
    { t: 7200, open: 5000, high: 6000, low: 5000, close: 6000, lots: 0 },
  ])
  expect(sampleCandles(points, HOUR_MS, 60, 0).at(-1)).toMatchObject({ t: 3600, close: 3800 })
})

test('the other outcome has the mirrored candles', () => {
  const mirror = sampleCandles(points, 3 * HOUR_MS, 60, 1)
  expect(mirror[1]).toEqual({ t: 3600, open: 5500, high: 6200, low: 5000, close: 5000, lots: 0 })
})

test('trades stand in place of samples from their first interval on', () => {
  const traded = [{ t: 3600, open: 1, high: 2, low: 1, close: 2, lots: 5 }]
  expect(joined(sampleCandles(points, 3 * HOUR_MS, 60, 0), traded).map(({ t, lots }) => [t, lots])).toEqual([
    [0, 0],
    [3600, 5],
  ])
  expect(joined([], [])).toEqual([])
})
