import type { Lots } from './lots.ts'
import type { Price } from './price.ts'

/** Money in millionths of a USDC, a safe integer (below 9 billion USDC). */
export type Usdc = number & { readonly __unit: 'usdc' }

/** Millionths in one USDC. */
export const MICROS = 1_000_000

/** The largest total supply of money, in millionths: every sum of balances stays a safe integer. */
export const MAX_SUPPLY = 4_000_000_000_000_000

/** Brands a safe integer number of millionths; negative amounts are differences. Throws a `RangeError` on anything else. */
export function usdc(micros: number): Usdc {
  if (!Number.isSafeInteger(micros)) throw new RangeError(`not an amount of money: ${micros}`)
  return micros as Usdc
}

/** What a fill moves. Exact: one price step (0.0001) times one lot (0.01 share) is one millionth of a USDC. */
export const cost = (price: Price, lots: Lots): Usdc => usdc(price * lots)
