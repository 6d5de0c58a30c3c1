import { readFileSync } from 'node:fs'
import { fc } from '@augury/testing/properties'
import { describe, expect, test } from 'vitest'
import { cancellersIn, decodeCommands, encodeCommand, encodeRow } from '../src/codec.ts'
import type { Command } from '../src/command.ts'
import { Exchange } from '../src/exchange.ts'
import { DecodeError } from '../src/words.ts'
import { commands } from './arbitrary.ts'

const golden: Record<string, { command: Command; hex: string }> = JSON.parse(
  readFileSync(new URL('golden/commands.json', import.meta.url), 'utf8'),
  (key, value) => (key === 'annex' ? Uint8Array.from(Buffer.from(value, 'hex')) : value),
)

describe('the binary form of each command is for ever', () => {
  test.each(Object.entries(golden))('%s', (_, { command, hex }) => {
    expect(Buffer.from(encodeCommand(command)).toString('hex')).toBe(hex)
    expect(decodeCommands(Buffer.from(hex, 'hex'))).toEqual([command])
  })
})

test('no command is without its golden', () => {
  const told = new Set(Object.values(golden).map(({ hex }) => Number.parseInt(hex.slice(2, 4), 16)))
  const isKnown = (number: number) => !/no command has/.test(complaint(Buffer.from([1, number, 1, 0])))
  expect([...told].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 256 }, (_, number) => number).filter(isKnown))
})

const complaint = (row: Buffer): string => {
  try {
    return String(decodeCommands(row))
  } catch (error) {
    return String(error)
  }
}

test('every command comes back as it was, alone or in a row, aligned or not', () => {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 20 }), fc.nat(7), (list, offset) => {
      const row = Buffer.concat([Buffer.alloc(offset), ...list.map(encodeCommand)]).subarray(offset)
      expect(decodeCommands(row)).toEqual(list)
      expect(cancellersIn(row)).toEqual(list.flatMap((command) => (command.type === 'cancel' ? [command.account] : [])))
      expect(Buffer.compare(encodeRow(list), row)).toBe(0)
    }),
  )
})

test.each([
  ['no whole words', '010203'],
  ['another format', '02020100'],
  ['an unknown number', '01ff0100'],
  ['no length', '01020000'],
  ['a length beyond the row', '01020e00'],
  ['a length beyond the parts', '011203000000000000000000'],
  ['an unknown mode of the venue', '0112020004000000'],
  ['unknown flags', '0112020010000000'],
])('refuses %s', (_, hex) => {
  expect(() => decodeCommands(Buffer.from(hex, 'hex'))).toThrow(DecodeError)
})

test('no bytes crash the decoder, and what it takes is exactly what it would write', () => {
  const flipped = fc.tuple(fc.array(commands, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(255)).map(([list, at, byte]) => {
    const row = Buffer.concat(list.map(encodeCommand))
    row[at % row.length] = byte
    return row
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), flipped), (bytes) => {
      const decoded = decoding(bytes)
      if (decoded !== null) expect(Buffer.concat(decoded.map(encodeCommand)).equals(bytes)).toBe(true)
      // The engine's own reading in place agrees with the decoder on what a row is.
      const exchange = new Exchange()
      const apply = () => exchange.applyRow({ at: 1, commands: bytes })
      if (decoded === null) expect(apply).toThrow(DecodeError)
      else expect(apply()).toHaveLength(decoded.length)
      if (decoded === null) expect(exchange.seq).toBe(0)
    }),
    { numRuns: 3_000 },
  )
})

function decoding(bytes: Uint8Array): Command[] | null {
  try {
    return decodeCommands(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError)
    return null
  }
}

test('a value no command may have is not written', () => {
  const deposit: Command = { type: 'deposit', account: `0x${'11'.repeat(20)}`, amount: 1, ref: `0x${'22'.repeat(32)}` }
  for (const amount of [-1, 0.5, 2 ** 53, Number.NaN]) expect(() => encodeCommand({ ...deposit, amount })).toThrow(RangeError)
  expect(() => encodeCommand({ ...deposit, account: '0x11' })).toThrow(RangeError)
  expect(() => encodeCommand({ ...deposit, account: `0x${'AA'.repeat(20)}` })).toThrow(RangeError)
})
