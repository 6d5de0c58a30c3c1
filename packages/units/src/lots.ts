/** A quantity of outcome shares in lots of 0.01 share. */
export type Lots = number & { readonly __unit: 'lots' }

/** Lots in one share. */
export const LOTS_PER_SHARE = 100

/** Micro-shares in one lot: the trading quantities of the API are millionths. */
export const MICROS_PER_LOT = 10_000

/** The largest order, in lots (40 million shares). */
export const MAX_ORDER_LOTS = 4_000_000_000

/** Brands a non-negative safe integer number of lots. Throws a `RangeError` on anything else. */
export function lots(count: number): Lots {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`not a number of lots: ${count}`)
  return count as Lots
}
