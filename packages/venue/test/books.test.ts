import { fc } from '@augury/testing/properties'
import { GRIDS } from '@augury/units/price'
import { expect, test } from 'vitest'
import { bookHash, displayedLevels, executablePrice, lastTradeOf } from '../src/base/books.ts'

test.each([
  ['bid', 5300, 5300],
  ['bid', 5305, 5300],
  ['bid', 5309, 5300],
  ['bid', 9, 9],
  ['bid', 10, 10],
  ['bid', 9999, 9990],
  ['ask', 5300, 5300],
  ['ask', 5301, 5310],
  ['ask', 9990, 9990],
  ['ask', 9981, 9990],
  ['ask', 9991, 9991],
  ['ask', 3, 10],
] as const)('a displayed %s at %i is at %i', (side, exact, shown) => {
  expect(executablePrice(side, exact, 1)).toBe(shown)
})

test('levels that show the same price are one, and a side has twelve', () => {
  expect(displayedLevels('bid', [[5309, 1], [5301, 2], [5300, 0], [5299, 4]], 1)).toEqual([[5300, 3], [5290, 4]]) // biome-ignore format: levels side by side
  const many = Array.from({ length: 40 }, (_, level) => [9000 - 10 * level, 1] as [number, number])
  expect(displayedLevels('bid', many, 1)).toEqual(many.slice(0, 12))
})

test('an order at the displayed price trades, for at least the displayed size', () => {
  const level = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 1000 }))
  fc.assert(
    fc.property(
      fc.array(level, { maxLength: 60 }),
      fc.constantFrom('bid' as const, 'ask' as const),
      fc.constantFrom(...GRIDS),
      (raw, side, grid) => {
        const levels = [...new Map(raw).entries()]
          .filter(([exact]) => exact % grid === 0)
          .sort(([a], [b]) => (side === 'bid' ? b - a : a - b))
        let shown = 0
        for (const [price, lots] of displayedLevels(side, levels, grid)) {
          expect(price % grid).toBe(0)
          shown += lots
          const there = levels
            .filter(([exact]) => (side === 'bid' ? exact >= price : exact <= price))
            .reduce((sum, [, size]) => sum + size, 0)
          expect(there).toBeGreaterThanOrEqual(shown)
          expect(price).toBeGreaterThan(0)
          expect(price).toBeLessThan(10_000)
        }
      },
    ),
  )
})

test('the mirror token sees a trade at the complement, from the other side', () => {
  const trade = { price: 6000, outcome: 1, side: 'BUY' } as const
  expect([lastTradeOf(trade, 0), lastTradeOf(trade, 1)]).toEqual([
    { price: 6000, side: 'SELL' },
    { price: 4000, side: 'BUY' },
  ])
})

test('the hash is what established clients compute', () => {
  const book = {
    ...{ market: '0xaa', asset_id: '100', timestamp: '123456789', hash: 'whatever' },
    ...{ bids: [{ price: '0.3', size: '100' }], asks: [{ price: '0.6', size: '100' }] },
    ...{ min_order_size: '5', tick_size: '0.01', neg_risk: false, last_trade_price: '0.5' },
  }
  // printf of the object with an empty hash | sha1sum
  expect(bookHash(book)).toBe('b554363596b0ad8779c4ee118804086862ed085a')
})
