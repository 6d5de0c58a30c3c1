import { p, Type } from '@mikro-orm/core'

/** int8 ↔ number. Throws a RangeError beyond ±(2⁵³ − 1) in both directions rather than round an amount. */
export class SafeInteger extends Type<number, string> {
  override convertToDatabaseValue(value: number): string {
    return value === null || value === undefined ? value : String(checked(value))
  }
  override convertToJSValue(value: string): number {
    return value === null || value === undefined ? value : checked(Number(value))
  }
  override compareAsType(): string {
    return 'string'
  }
  override getColumnType(): string {
    return 'bigint'
  }
  override toJSON(value: number): number {
    return value
  }
}

function checked(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`)
  return value
}

/** bytea ↔ `0x` and lower-case hex. The length is checked by a CHECK of the table. */
class HexBytes extends Type<`0x${string}`, Uint8Array> {
  override convertToDatabaseValue(value: `0x${string}`): Uint8Array {
    return value === null || value === undefined ? value : Buffer.from(value.slice(2), 'hex')
  }
  override convertToJSValue(value: Uint8Array): `0x${string}` {
    return value === null || value === undefined ? value : `0x${Buffer.from(value).toString('hex')}`
  }
  override compareAsType(): string {
    return 'buffer'
  }
  override getColumnType(): string {
    return 'bytea'
  }
  override toJSON(value: `0x${string}`): `0x${string}` {
    return value
  }
}

/**
 * A number that the driver hands over as text, as it may be larger or finer than a number is. The entities turn it into a number; the
 * query builder's types (`platform/tables`) say that it is text.
 */
export type NumberAsText = number & { readonly '~driver'?: 'text' }

/** A whole number that may be beyond 32 bits. */
export const int8Column = () => p.type(SafeInteger).$type<NumberAsText>()
/** Money in millionths of a USDC. */
export const usdcColumn = () => int8Column()
/** Shares in lots of 0.01. */
export const lotsColumn = () => int8Column()
/** A position in the log of a stream. */
export const seqColumn = () => int8Column()
/** Unix milliseconds of engine time: plain integers, because they are compared with the log and never with the host's clock. */
export const millisColumn = () => int8Column()
/** A price in steps of 0.0001. */
export const priceColumn = () => p.smallint()
/** A displayed price in steps of 0.0001: a midpoint may end in a half. */
export const displayedPriceColumn = () => p.decimal('number').$type<NumberAsText>().precision(6).scale(1)
/** 20 bytes of an address, or 32 of an id. */
export const hexColumn = () => p.type(HexBytes)
/** A reference price in its quote currency, as an oracle reports it, to twelve decimals. */
export const referencePriceColumn = () => p.decimal('number').$type<NumberAsText>().precision(24).scale(12)
