import type { Hex } from './command.ts'
import { DecodeError, type WordReader, type WordWriter } from './words.ts'

/** A part of a command: how it is written and read. Reading refuses whatever writing would not have produced. */
export interface Field<T> {
  write(to: WordWriter, value: T): void
  read(from: WordReader): T
}

/** A number that fits four bits; neighbours share a word. */
export interface Small<T> {
  number(value: T): number
  value(number: number): T
}

const key = (width: number): Field<Hex> => ({ write: (to, hex) => to.key(hex, width), read: (from) => from.key(width) })
/** An account. */
export const ADDRESS = key(5)
/** An order, a condition, a request. */
export const HASH = key(8)
/** A number below 2³². */
export const WORD: Field<number> = { write: (to, value) => to.word(value), read: (from) => from.word() }
/** A count up to 2⁵³. */
export const INTEGER: Field<number> = { write: (to, value) => to.integer(value), read: (from) => from.integer() }

/** A field, or null. */
export const orNull = <T>(field: Field<T>): Field<T | null> => ({
  write(to, value) {
    to.word(value === null ? 0 : 1)
    if (value !== null) field.write(to, value)
  },
  read(from) {
    const present = from.word()
    if (present > 1) throw new DecodeError('neither there nor absent')
    return present === 1 ? field.read(from) : null
  },
})

/** A byte string of at most `limit` bytes. */
export const bytes = (limit: number): Field<Uint8Array> => ({
  write(to, value) {
    if (value.length > limit) throw new RangeError(`${value.length} bytes where ${limit} are allowed`)
    to.bytes(value)
  },
  read: (from) => from.bytes(limit),
})

/** A list of at most `limit` items. */
export const list = <T>(field: Field<T>, limit: number): Field<T[]> => ({
  write(to, values) {
    if (values.length > limit) throw new RangeError(`${values.length} items where ${limit} are allowed`)
    to.word(values.length)
    for (const value of values) field.write(to, value)
  },
  read(from) {
    const length = from.word()
    if (length > limit) throw new DecodeError(`${length} items where ${limit} are allowed`)
    return Array.from({ length }, () => field.read(from))
  },
})

/** A value encoded as its index in a list; the journal keeps it, so an index never changes. */
export const oneOf = <T>(values: readonly T[]): Small<T> => ({
  number(value) {
    const number = values.indexOf(value)
    if (number < 0) throw new RangeError(`not one of ${values.join(', ')}: ${value}`)
    return number
  },
  value(number) {
    if (number >= values.length) throw new DecodeError(`not one of ${values.join(', ')}: ${number}`)
    return values[number]!
  },
})

type Smalls<T> = { [K in keyof T]: Small<T[K]> }
type Fields<T> = { [K in keyof T]: Field<T[K]> }

/** Some of a command's parts, in sequence; `readInto` adds them to an object that may already have others. */
export interface Parts<T> {
  write(to: WordWriter, value: T): void
  readInto(value: Partial<T>, from: WordReader): void
}

/** Several small values in one word, four bits each, lowest first, in the order of the object's keys. */
export const packed = <T extends object>(smalls: Smalls<T>): Parts<T> => {
  const parts = Object.entries(smalls) as [keyof T, Small<T[keyof T]>][]
  return {
    write(to, value) {
      let word = 0
      let shift = 0
      for (const [name, small] of parts) {
        word |= small.number(value[name]) << shift
        shift += 4
      }
      to.word(word >>> 0)
    },
    readInto(value, from) {
      let word = from.word()
      for (const [name, small] of parts) {
        value[name] = small.value(word & 15)
        word >>>= 4
      }
      if (word !== 0) throw new DecodeError('unknown flags')
    },
  }
}

/** Named fields, encoded in the order of the object's keys. */
export const struct = <T extends object>(fields: Fields<T>): Parts<T> => {
  const parts = Object.entries(fields) as [keyof T, Field<T[keyof T]>][]
  return {
    write(to, value) {
      for (const [name, field] of parts) field.write(to, value[name])
    },
    readInto(value, from) {
      for (const [name, field] of parts) value[name] = field.read(from)
    },
  }
}

/** Concatenates parts of one flat object, packed and plain. */
export const sequence = <T extends object>(...parts: Parts<never>[]): Parts<T> => ({
  write(to, value) {
    for (const part of parts) part.write(to, value as never)
  },
  readInto(value, from) {
    for (const part of parts) part.readInto(value as never, from)
  },
})

/** Parts as a nested object; `begin` makes the object with the properties that are not encoded. */
export const nested = <T extends object>(parts: Parts<T>, begin: () => Partial<T> = () => ({})): Field<T> => ({
  write: (to, value) => parts.write(to, value),
  read(from) {
    const value = begin()
    parts.readInto(value, from)
    return value as T
  },
})
