import { isAscii } from 'node:buffer'
import { TOKEN_BATCH } from '@augury/wire/limits'
import type { Schema } from '@augury/wire/operation'
import { cancelBody, orderBody } from '@augury/wire/order-body'
import { tokenBatch } from '@augury/wire/token-batch'
import { readTokens } from './token-texts.ts'

/**
 * What a schema makes of a JSON body, read by hand: for the routes that are asked most, in the forms in which nearly everybody writes them.
 * Undefined for every other schema and for whatever is not understood: then the schema reads it, and is the only one that refuses.
 */
export const readByHand = (schema: Schema, body: Uint8Array): unknown => readers.get(schema)?.(body)

const DECIMAL = /^(?:0|[1-9]\d{0,15})(?:\.\d{1,18})?$/
const NAME = /^[\x21-\x7e]{1,64}$/
const LAST_SECOND = 253_402_300_799
const MOST_LETTERS = 128

type Check = (value: unknown) => boolean
const isOneOf = (...values: unknown[]): Check => {
  const known = new Set(values)
  return (value) => known.has(value)
}
const isDecimal: Check = (value) => typeof value === 'string' && DECIMAL.test(value)
const isId = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= MOST_LETTERS

const plainOrder = new Map<string, Check>([
  ['tokenId', isId],
  ['side', isOneOf('BUY', 'SELL')],
  ['orderType', isOneOf('GTC', 'GTD', 'FOK', 'FAK')],
  ['price', isDecimal],
  ['size', isDecimal],
  ['amount', isDecimal],
  ['expiration', (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_SECOND],
  ['postOnly', isOneOf(true, false)],
  ['clientOrderId', (value) => typeof value === 'string' && NAME.test(value)],
  ['stp', isOneOf('expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none')],
])

/** The object of a text that is ASCII alone, or undefined. */
function objectOf(body: Uint8Array): Record<string, unknown> | undefined {
  if (!isAscii(body)) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The plain form of an order. */
function readOrder(body: Uint8Array): unknown {
  const order = objectOf(body)
  if (!order) return undefined
  for (const key in order) if (!plainOrder.get(key)?.(order[key])) return undefined
  const { tokenId, side, orderType, price, size, amount } = order
  if (tokenId === undefined || side === undefined || orderType === undefined) return undefined
  if (amount === undefined) return size !== undefined && price !== undefined ? order : undefined
  return size === undefined && (orderType === 'FOK' || orderType === 'FAK') ? order : undefined
}

/** The id of an order, in either spelling. */
function readCancel(body: Uint8Array): unknown {
  const cancel = objectOf(body)
  if (!cancel) return undefined
  const [key, ...others] = Object.keys(cancel)
  if (others.length > 0 || (key !== 'orderId' && key !== 'orderID')) return undefined
  const id = cancel[key]
  return isId(id) ? { orderId: id.toLowerCase() } : undefined
}

const readers = new Map<Schema, (body: Uint8Array) => unknown>([
  [orderBody, readOrder],
  [cancelBody, readCancel],
  [tokenBatch, (body) => readTokens(body, TOKEN_BATCH)],
])
