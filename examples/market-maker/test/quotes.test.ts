import { fc } from '@augury/testing/properties'
import { parseLots, parsePrice } from '@augury/units/decimal'
import { GRIDS, type Grid, ONE } from '@augury/units/price'
import type { Market } from '@augury/wire/market'
import type { PlainOrder } from '@augury/wire/order-body'
import { describe, expect, test } from 'vitest'
import { ladder, type Quoted, quoted, wander } from '../src/quotes.ts'

const market = {
  condition: '0xc',
  tokens: ['yes', 'no'],
  grid: 100,
  minLots: 500,
  anchor: 4200,
  fair: 4200,
  isShort: false,
} as const satisfies Quoted
const row = {
  condition_id: '0xc',
  accepting_orders: true,
  minimum_tick_size: 0.01,
  minimum_order_size: 5,
  tokens: [
    { token_id: 'yes', outcome: 'Yes', price: 0.5, winner: false },
    { token_id: 'no', outcome: 'No', price: 0.5, winner: false },
  ],
  event: { series_slug: null } as Market['event'],
} as Market

describe('a market', () => {
  test.each<[string, Partial<Market>, number, number | null]>([
    ['is quoted at its price', {}, 0.42, 4200],
    ['is quoted on its grid', {}, 0.427, 4300],
    ['is quoted a tick from the edge at least', {}, 0.001, 100],
    ['is quoted on a fine grid', { minimum_tick_size: 0.001 }, 0.9995, 9990],
    ['is left alone when it is decided', {}, 1, null],
    ['is left alone when it takes no orders', { accepting_orders: false }, 0.5, null],
  ])('%s', (_, change, price, anchor) => {
    expect(quoted({ ...row, ...change }, price)?.anchor ?? null).toBe(anchor)
  })

  test('of a series is a short one', () => {
    const event = { series_slug: 'btc-usd-5m' } as Market['event']
    expect([row, { ...row, event }].map((market) => quoted(market, 0.5)?.isShort)).toEqual([false, true])
  })
})

describe('a ladder', () => {
  test('bids for both tokens on both sides of the price, deeper and larger', () => {
    const orders = ladder(market, 2, 1000) as PlainOrder[]
    expect(orders.map(({ tokenId, side, price, size, postOnly }) => [tokenId, side, price, size, postOnly])).toEqual([
      ['yes', 'BUY', '0.41', '10', true],
      ['yes', 'BUY', '0.4', '20', true],
      ['no', 'BUY', '0.57', '10', true],
      ['no', 'BUY', '0.56', '20', true],
    ])
  })

  test('never crosses itself, is on the grid, and is never below the smallest size', () => {
    const arbMarket = fc
      .constantFrom(...GRIDS)
      .chain((grid) =>
        fc.record({ grid: fc.constant(grid as Grid), fair: fc.integer({ min: 1, max: ONE / grid - 1 }).map((ticks) => ticks * grid) }),
      )
    fc.assert(
      fc.property(arbMarket, fc.integer({ min: 1, max: 8 }), ({ grid, fair }, levels) => {
        const orders = ladder({ ...market, grid, fair }, levels, 100) as PlainOrder[]
        const best = (token: string) =>
          Math.max(0, ...orders.filter(({ tokenId }) => tokenId === token).map(({ price }) => parsePrice(price!)))
        expect(best('yes') + best('no')).toBeLessThan(ONE)
        for (const { price, size } of orders) {
          expect(parsePrice(price!) % grid).toBe(0)
          expect(parseLots(size!)).toBeGreaterThanOrEqual(market.minLots)
        }
      }),
    )
  })
})

test('a price wanders on its grid and comes back to where it belongs', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 200 }), (draws) => {
      const walking = { ...market }
      for (const draw of draws) wander(walking, () => draw)
      expect([walking.fair % walking.grid, walking.fair >= 100, walking.fair <= 9900]).toEqual([0, true, true])
    }),
  )
  const far = { ...market, fair: 9000 }
  for (let i = 0; i < 200; i++) wander(far, () => ((i * 7) % 10) / 10)
  expect(Math.abs(far.fair - far.anchor)).toBeLessThanOrEqual(300)
})
