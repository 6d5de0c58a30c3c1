import { prng } from '@augury/testing/prng'
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
  odds: Math.log(42 / 58),
  movedAt: 0,
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

describe('a price that wanders', () => {
  const at = (anchor: number, fair = anchor, grid: Grid = 100) => ({ ...market, grid, anchor, fair, odds: Math.log(fair / (ONE - fair)) })
  /** How far from the anchor a price was, over many turns. */
  function walk(market: Quoted, turns: number, each = 1): number[] {
    const { unit } = prng(5)
    return Array.from({ length: turns }, () => {
      wander(market, unit, each)
      return Math.abs(market.fair - market.anchor)
    })
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

  test('is on its grid and never at an end', () => {
    const draw = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.constantFrom(...GRIDS), fc.array(draw, { minLength: 3, maxLength: 300 }), (grid, draws) => {
        const walking = at(ONE / 2, ONE / 2, grid as Grid)
        let drawn = 0
        for (let turn = 0; turn < draws.length; turn++) wander(walking, () => draws[drawn++ % draws.length]!, 20)
        expect([walking.fair % grid, walking.fair >= grid, walking.fair <= ONE - grid]).toEqual([0, true, true])
      }),
    )
  })

  test('is seen to move within minutes, and stays in the neighbourhood of its anchor', () => {
    const distances = walk(at(5000), 2000)
    expect(Math.max(...distances.slice(0, 5))).toBeGreaterThanOrEqual(100)
    expect(mean(distances)).toBeLessThan(1000)
    expect(Math.max(...distances)).toBeLessThan(3000)
  })

  test('moves less where an outcome is nearly decided, but moves', () => {
    const distances = walk(at(100, 100, 10), 500)
    expect(Math.max(...distances)).toBeGreaterThan(0)
    expect(Math.max(...distances)).toBeLessThan(200)
  })

  test('comes back from afar', () => {
    const distances = walk(at(4200, 9500), 600)
    expect(distances[0]).toBeGreaterThan(4500)
    expect(mean(distances.slice(200))).toBeLessThan(800)
  })

  test('goes as far in one late turn as in the many that it stands for', () => {
    const [often, seldom] = [walk(at(5000), 4000), walk(at(5000), 400, 10)].map(mean)
    expect(seldom! / often!).toBeGreaterThan(0.6)
    expect(seldom! / often!).toBeLessThan(1.6)
  })
})
