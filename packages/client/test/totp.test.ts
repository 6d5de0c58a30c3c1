import { expect, test } from 'vitest'
import { totpCode } from '../src/totp.ts'

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const CODES: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

test.each(CODES)('RFC 6238: at %i the code is %s', async (seconds, code) => {
  expect(await totpCode(SECRET, seconds * 1000)).toBe(code)
  expect(await totpCode(`otpauth://totp/site:me?secret=${SECRET}&issuer=site`, seconds * 1000)).toBe(code)
  expect(await totpCode(`${SECRET.toLowerCase()}======`, seconds * 1000 + 999)).toBe(code)
})

test.each(['', 'otpauth://totp/x', 'A1', 'AB CD'])('%j is not a secret', async (secret) => {
  await expect(totpCode(secret)).rejects.toThrow(TypeError)
})
