/** A price in steps of 0.0001 USDC per share, 1 … 9 999. A probability of 53 % is 5 300. */
export type Price = number & { readonly __unit: 'price' }

/** Steps in one USDC: what a Yes and a No of the same condition are worth together. */
export const ONE = 10_000

/** The grids a market may have, in steps: ticks of 0.1, 0.01, 0.005, 0.0025, 0.001 and 0.0001. */
export const GRIDS = [1000, 100, 50, 25, 10, 1] as const
export type Grid = (typeof GRIDS)[number]

/** Brands an integer number of steps. Throws a `RangeError` on anything that is not a price. */
export function price(steps: number): Price {
  if (!Number.isInteger(steps) || steps < 1 || steps >= ONE) throw new RangeError(`not a price: ${steps}`)
  return steps as Price
}

/** The same bet seen from the other outcome token: No costs what Yes leaves of one USDC. */
export const complement = (k: Price): Price => (ONE - k) as Price

/** Whether a price may enter a market with this grid: a multiple of it, and one grid step away from 0 and 1. */
export const onGrid = (k: number, grid: Grid): boolean => k % grid === 0 && k >= grid && k <= ONE - grid

/** Whether a number is one of the grids. */
export const isGrid = (steps: number): steps is Grid => (GRIDS as readonly number[]).includes(steps)
