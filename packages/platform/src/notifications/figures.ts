import { formatDecimal, parseDecimal } from '@augury/units/decimal'

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

/** A price in USDC for notifications: "0.4" is "40¢", "0.198112" is "19.81¢". */
export const inCents = (price: string): string => `${formatDecimal(Math.round(parseDecimal(price, 6) / 100), 2)}¢`

/** Millionths of a USDC for notifications, in cents as the site shows money: "$1,000.00"; "<1¢" for less than half a cent. */
export const inDollars = (micros: number): string =>
  micros > 0 && micros < 5_000 ? '<1¢' : dollars.format(formatDecimal(Math.round(micros / 10_000), 2) as `${number}`)
