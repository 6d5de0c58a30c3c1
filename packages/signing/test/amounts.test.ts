import { fc } from '@augury/testing/properties'
import { GRIDS, type Grid, ONE } from '@augury/units/price'
import { describe, expect, test } from 'vitest'
import { amountsToSign, budgetAmounts, decimalsOf, limitAmounts, termsOf } from '../src/amounts.ts'

const limit = (side: 'BUY' | 'SELL', maker: bigint, taker: bigint, grid: Grid) => termsOf(side, maker, taker, grid, false)
const market = (maker: bigint, taker: bigint, grid: Grid) => termsOf('BUY', maker, taker, grid, true)

describe('amounts that established clients sign', () => {
  // Worked examples taken from those clients.
  test.each([
    ['BUY', 11782400n, 21040000n, 100, { price: 5600, lots: 2104, budget: 0 }],
    ['BUY', 4351200n, 7770000n, 100, { price: 5600, lots: 777, budget: 0 }],
    ['BUY', 6278160n, 112110000n, 10, { price: 560, lots: 11211, budget: 0 }],
    ['SELL', 91230000n, 3147435n, 1, { price: 345, lots: 9123, budget: 0 }],
    ['BUY', 4200000n, 10000000n, 100, { price: 4200, lots: 1000, budget: 0 }],
  ] as const)('%s %s for %s on grid %i', (side, maker, taker, grid, terms) => {
    expect(limit(side, maker, taker, grid)).toEqual(terms)
  })

  test.each([
    [100000000n, 178571400n, 100, { price: 5600, lots: 0, budget: 100_000_000 }],
    [20000000n, 38461500n, 100, { price: 5200, lots: 0, budget: 20_000_000 }],
    [20000000n, 38461500n, 10, { price: 5200, lots: 0, budget: 20_000_000 }],
    [20000000n, 38461500n, 1, { price: 5200, lots: 0, budget: 20_000_000 }],
  ] as const)('a market BUY of %s for %s on grid %i', (maker, taker, grid, terms) => {
    expect(market(maker, taker, grid)).toEqual(terms)
  })

  test.each([
    ['no money', limit('BUY', 0n, 10_000n, 100), 'invalid_amount'],
    ['no shares', limit('SELL', 0n, 10_000n, 100), 'invalid_amount'],
    ['half a lot', limit('BUY', 5_000n, 15_000n, 100), 'invalid_amount_precision'],
    ['a price between steps', limit('BUY', 333_333n, 1_000_000n, 1), 'invalid_price_tick'],
    ['a price between ticks', limit('BUY', 555_000n, 1_000_000n, 100), 'invalid_price_tick'],
    ['a price of one', limit('BUY', 1_000_000n, 1_000_000n, 100), 'price_out_of_range'],
    ['a price above one', limit('BUY', 2_000_000n, 1_000_000n, 100), 'price_out_of_range'],
    ['a price below the first tick', limit('BUY', 5_000n, 1_000_000n, 100), 'price_out_of_range'],
    ['more than an order may have', limit('BUY', 10n ** 13n, 4n * 10n ** 13n + 10_000n, 100), 'size_too_large'],
    ['2^255 shares', limit('BUY', 1n, 2n ** 255n, 100), 'size_too_large'],
    ['a budget with a third decimal', market(1_001_000n, 2_000_000n, 100), 'invalid_amount_precision'],
    ['shares with too many decimals', market(1_000_000n, 1_999_999n, 100), 'invalid_amount_precision'],
    ['a budget two units off', market(20_000_000n, 38_461_700n, 100), 'invalid_price_tick'],
    ['a budget far from any tick', market(1_000_000n, 1_990_000n, 100), 'invalid_price_tick'],
  ])('are refused: %s', (_, found, refusal) => {
    expect(found).toBe(refusal)
  })
})

const gridAndPrice = fc
  .constantFrom(...GRIDS)
  .chain((grid) => fc.record({ grid: fc.constant(grid), price: fc.integer({ min: 1, max: ONE / grid - 1 }).map((ticks) => ticks * grid) }))

describe('amounts that we sign', () => {
  test('of a limit order keep its price and size', () => {
    fc.assert(
      fc.property(
        gridAndPrice,
        fc.constantFrom('BUY', 'SELL'),
        fc.integer({ min: 1, max: 4_000_000_000 }),
        ({ grid, price }, side, lots) => {
          const { makerAmount, takerAmount } = limitAmounts(side, price, lots)
          expect(limit(side, makerAmount, takerAmount, grid)).toEqual({ price, lots, budget: 0 })
        },
      ),
    )
  })

  test('of a budget keep its worst price', () => {
    fc.assert(
      fc.property(gridAndPrice, fc.integer({ min: 100, max: 400_000 }), ({ grid, price }, cents) => {
        const { makerAmount, takerAmount } = budgetAmounts(price, cents * 10_000, grid)
        expect(market(makerAmount, takerAmount, grid)).toEqual({ price, lots: 0, budget: cents * 10_000 })
      }),
    )
  })

  test('of a budget whose shares were rounded up at their last decimal have the price that was meant', () => {
    fc.assert(
      fc.property(gridAndPrice, fc.integer({ min: 100, max: 400_000 }), ({ grid, price }, cents) => {
        const maker = BigInt(cents) * 10_000n
        const unit = 10n ** BigInt(6 - decimalsOf('BUY', grid, true).taker)
        const [one, steps] = [BigInt(ONE) * maker, BigInt(price)]
        const taker = ((one + steps * unit - 1n) / (steps * unit)) * unit
        if (maker > taker) return // dearer than a dollar
        expect(market(maker, taker, grid)).toEqual({ price, lots: 0, budget: cents * 10_000 })
      }),
    )
  })

  test('instead of amounts that are refused are accepted', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 12n })
    fc.assert(
      fc.property(
        fc.constantFrom(...GRIDS),
        fc.constantFrom('BUY', 'SELL'),
        amount,
        amount,
        fc.boolean(),
        (grid, side, maker, taker, byAmount) => {
          const byBudget = byAmount && side === 'BUY'
          const valid = amountsToSign(side, maker, taker, grid, byBudget)
          if (!valid) return
          const terms = termsOf(side, valid.makerAmount, valid.takerAmount, grid, byBudget)
          expect(terms).toMatchObject({ price: valid.price })
        },
      ),
    )
  })

  test.each([
    ['BUY', 555_000n, 1_000_000n, false, { price: 5500, makerAmount: 550_000n, takerAmount: 1_000_000n }],
    ['SELL', 1_000_000n, 555_000n, false, { price: 5600, makerAmount: 1_000_000n, takerAmount: 560_000n }],
    ['BUY', 1_001_000n, 2_000_000n, true, { price: 5000, makerAmount: 1_000_000n, takerAmount: 2_000_000n }],
    ['BUY', 3_000_000n, 1_000_000n, false, { price: 9900, makerAmount: 990_000n, takerAmount: 1_000_000n }],
    ['BUY', 1n, 9_999n, false, null],
  ] as const)('instead of %s %i for %i (by budget: %s)', (side, maker, taker, byBudget, valid) => {
    expect(amountsToSign(side, maker, taker, 100, byBudget)).toEqual(valid)
  })

  const REFINED = GRIDS.flatMap((coarse) =>
    GRIDS.filter((fine) => fine < coarse && coarse % fine === 0).map((fine) => [coarse, fine] as const),
  )
  test.each(REFINED)('of a budget on grid %i still count when the market was refined to %i, at an allowed price', (coarse, fine) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ONE / coarse - 1 }), fc.integer({ min: 100, max: 400_000 }), (ticks, cents) => {
        const { makerAmount, takerAmount } = budgetAmounts(ticks * coarse, cents * 10_000, coarse)
        const found = market(makerAmount, takerAmount, fine)
        if (typeof found === 'string') throw new Error(found)
        expect(found.budget).toBe(cents * 10_000)
        expect(found.price).toBeGreaterThanOrEqual(ticks * coarse)
        expect(BigInt(found.price) * takerAmount <= makerAmount * BigInt(ONE)).toBe(true)
      }),
    )
  })
})
