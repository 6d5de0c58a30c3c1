import { formatDecimal, parseDecimal } from '@augury/units/decimal'

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** A price in USDC for notifications: "0.4" is "40¢", "0.198112" is "19.81¢". */
export const inCents = (price: string): string => `${formatDecimal(Math.round(parseDecimal(price, 6) / 100), 2)}¢`

/** Millionths of a USDC for notifications, exactly, as rounded money would not be what the history has: "$1,000.00", "$0.005". */
export const inDollars = (micros: number): string => dollars.format(formatDecimal(micros, 6) as `${number}`)
