import { formatDecimal, parseDecimal } from '@augury/units/decimal'

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** A price in USDC for notifications: "0.4" is "40¢", "0.198112" is "19.81¢". */
export const inCents = (price: string): string => `${formatDecimal(Math.round(parseDecimal(price, 6) / 100), 2)}¢`

/** Millionths of a USDC for notifications: "$1,000.00". */
export const inDollars = (micros: number): string => dollars.format(micros / 1_000_000)
