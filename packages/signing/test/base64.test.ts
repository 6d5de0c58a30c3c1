import { readFileSync } from 'node:fs'
import { fc } from '@augury/testing/properties'
import { describe, expect, test } from 'vitest'
import { Base64Error, decodeBase64, encodeBase64Url } from '../src/base64.ts'

const vectors = JSON.parse(readFileSync(new URL('vectors/base64.json', import.meta.url), 'utf8')) as {
  valid: { input?: string; inputHex?: string; base64: string; base64url: string }[]
  invalidStrict: string[]
}

describe('base64', () => {
  test.each(vectors.valid)('reads $base64 in both alphabets', ({ input, inputHex, base64, base64url }) => {
    const bytes = inputHex === undefined ? Buffer.from(input!, 'utf8') : Buffer.from(inputHex, 'hex')
    expect(Buffer.from(decodeBase64(base64))).toEqual(bytes)
    expect(Buffer.from(decodeBase64(base64url))).toEqual(bytes)
    expect(encodeBase64Url(bytes)).toBe(base64url)
  })

  test.each([...vectors.invalidStrict, 'é===', 'AA=A', 'A', '=AAA', 'AAAA\u0000'])('refuses %j', (text) => {
    expect(() => decodeBase64(text)).toThrow(Base64Error)
  })

  test('decoding and encoding give the same text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeBase64(encodeBase64Url(bytes))).toEqual(new Uint8Array(bytes))
      }),
    )
  })
})
