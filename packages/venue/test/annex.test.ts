import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { type Annex, decodeAnnex, encodeAnnex } from '../src/base/annex.ts'

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((found) => Buffer.from(found).toString('hex'))

const annex: fc.Arbitrary<Annex> = fc.record({
  owner: fc.uuid(),
  maker: fc.option(hex(20).map((text) => `0x${text}` as const)),
  clientOrderId: fc.option(fc.stringMatching(/^[\x21-\x7e]{1,64}$/)),
  content: fc.option(fc.uint8Array({ minLength: 8, maxLength: 8 })),
})

test('what an order carries along comes back as it was, in at most 160 bytes', () => {
  fc.assert(
    fc.property(annex, (given) => {
      const bytes = encodeAnnex(given)
      const { content, ...rest } = decodeAnnex(bytes)
      expect({ ...rest, content: Uint8Array.from(content) }).toEqual({
        ...given,
        content: Uint8Array.from(given.content ?? new Uint8Array(8)),
      })
      expect(bytes.length).toBeLessThanOrEqual(160)
    }),
  )
})

test('bytes of another version are damage', () => {
  expect(() => decodeAnnex(Uint8Array.of(9, 0))).toThrow('annex of unknown version 9')
})
