import { z } from 'zod'

/** `0x` and lower-case hex. */
export type Hex = `0x${string}`

const lowerHex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0[xX][0-9a-fA-F]{${bytes * 2}}$`), `expected 0x and ${bytes * 2} hex digits`)
    .toLowerCase() as unknown as z.ZodType<Hex, string>

/** An address in a request: any case, parsed to lower case. */
export const address = lowerHex(20)
/** An address in a request, kept as it was typed: mixed case is a checksum. */
export const typedAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected 0x and 40 hex digits') as unknown as z.ZodType<Hex, string>
/** An address in a response: checksummed. */
export const checksumAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<Hex, string>
/** An ECDSA signature in a request: any case, parsed to lower case. */
export const signature65 = lowerHex(65)
/** A condition, order, question or event id: 32 bytes. */
export const bytes32 = lowerHex(32)

/** An id in a look-up: any text, as a malformed id is just unknown. */
export const anyId = z.string().min(1).max(128).toLowerCase()
/** The same, kept as it was sent: what became of it is answered under it. */
export const idAsSent = z.string().min(1).max(128)
/** A token id in a look-up: any text, as a malformed id is just unknown. */
export const tokenText = z.string().min(1).max(128)

/** A search text: at most `most` characters, and no NUL, which PostgreSQL refuses. */
export const searchText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !text.includes('\0'), 'expected a text without NUL')

const UINT256 = 2n ** 256n
/** An integer below 2^256 as decimal text; also a token id. */
export const uint256 = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, { error: 'expected an integer as decimal text', abort: true })
  .refine((text) => BigInt(text) < UINT256, 'larger than 2^256')

/** A plain non-negative decimal as text; the market decides how many decimals are allowed. */
export const decimal = z.string().regex(/^(0|[1-9]\d{0,15})(\.\d{1,18})?$/, 'expected a decimal as text')
/** A decimal in a response; differences may be negative. */
export const anyDecimal = z.string().regex(/^-?(0|[1-9]\d{0,15})(\.\d{1,18})?$/)
/** Integer millionths of a USDC or of a share as text. */
export const micros = z.string().regex(/^(0|[1-9]\d{0,15})$/, 'expected integer millionths as text')
/** An amount of money or shares: a decimal with at most six places, as text. */
export const amount = z.string().regex(/^(0|[1-9]\d{0,15})(\.\d{1,6})?$/, 'expected a decimal with at most 6 places as text')

/** A ratio in basis points. */
export const bps = z.int().min(0).max(10_000)
/** Unix seconds, up to the year 9999. */
export const unixSeconds = z.int().min(0).max(253_402_300_799)
/** ISO 8601 with time zone. */
export const iso = z.iso.datetime({ offset: true })

/** The same, of years in UTC from `first` to `last`: others are not in the calendar, or are written with more than four digits. */
export const isoOfYears = (first: number, last: number) =>
  z.iso.datetime({ offset: true, abort: true }).refine((text) => {
    const year = new Date(text).getUTCFullYear()
    return year >= first && year <= last
  }, `expected a year from ${first} to ${last}`)
/** A date of a market: ISO 8601, or null when there is none. */
export const isoOrNull = iso.nullable()

export const side = z.enum(['BUY', 'SELL'])
export const orderType = z.enum(['GTC', 'GTD', 'FOK', 'FAK'])
/** The six states of the specification. */
export const orderState = z.enum(['live', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'])
export const outcomeIndex = z.union([z.literal(0), z.literal(1)])
export const tickSize = z.enum(['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'])

/** Client order id: 1 to 64 visible ASCII characters. */
export const isClientOrderId = /^[\x21-\x7e]{1,64}$/
export const clientOrderId = z.string().regex(isClientOrderId, 'expected 1 to 64 visible characters')
/** Reference of a deposit or withdrawal, unique for ever. */
export const reference = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'expected 1 to 128 visible characters')
/** Public id of an API key. */
export const apiKey = z.uuid()
/** Position in the exchange's log. */
export const seq = z.int().min(0)
