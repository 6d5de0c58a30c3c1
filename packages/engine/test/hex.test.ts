import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { hexOf, readHex } from '../src/hex.ts'

test('a key written as text is read back, word for word, wherever it stands', () => {
  const keys = fc.constantFrom(2, 5, 8).chain((width) => fc.uint8Array({ minLength: width * 4, maxLength: width * 4 }))
  fc.assert(
    fc.property(keys, fc.nat(3), (bytes, at) => {
      const width = bytes.length / 4
      const words = new Uint32Array(at + width)
      new Uint8Array(words.buffer).set(bytes, at * 4)
      expect(hexOf(words, at, width)).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
      const back = new Uint32Array(at + width)
      expect(readHex(hexOf(words, at, width), back, at, width)).toBe(true)
      expect(back).toEqual(words)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['no prefix', '00000011'],
  ['another prefix', '0X00000011'],
  ['too short', '0x0000001'],
  ['too long', '0x000000111'],
  ['capital letters', '0x000000AA'],
  ['a letter beyond f', '0x0000000g'],
  ['a wrong first digit', '0xg0000000'],
  ['a letter of two bytes whose low one is a digit', '0x0000000ı'],
  ['letters of four bytes', '0x😀😀😀😀'],
  ['a space', '0x 0000011'],
  ['a sign', '0x-0000011'],
])('%s is no key', (_, text) => {
  expect(readHex(text, new Uint32Array(1), 0, 1)).toBe(false)
})
