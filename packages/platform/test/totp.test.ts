import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { newTotpSecret, otpauthUri, stepOf } from '../src/identity/totp.ts'
import vectors from './vectors/totp.json' with { type: 'json' }

const rfc6238 = vectors.rfc6238.filter(({ alg }) => alg === 'sha1')
const SECRET = vectors.scenarioKeyBase32
const at = (seconds: number) => new Date(seconds * 1000)

test.each(rfc6238)('RFC 6238: at $time the code is $otp6', ({ keyBase32, time, otp6 }) => {
  expect(stepOf(keyBase32, otp6, at(time))).toBe(Math.floor(time / 30))
})

test.each(vectors.rfc4226)('RFC 4226: the code of step $counter is $otp', ({ counter, otp }) => {
  expect(stepOf(SECRET, otp, at(counter * 30))).toBe(counter)
})

test.each([
  [-2, null],
  [-1, 57_000_000 - 1],
  [0, 57_000_000],
  [1, 57_000_000 + 1],
  [2, null],
])('a code %i steps away matches %o', (away, step) => {
  for (const second of [0, 15, 29]) {
    const now = 57_000_000 * 30 + second
    expect(stepOf(SECRET, generateSync({ secret: SECRET, epoch: (57_000_000 + away) * 30 }), at(now))).toBe(step)
  }
})

test.each(['', '12345', '1234567', '12345６', ' 123456', '+12345', '12e456', '123 456', '-12345', '0x1234'])('%j is not a code', (code) => {
  expect(stepOf(SECRET, code, at(1_710_000_000))).toBeNull()
})

test('secrets have 160 bits and are random', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret)
  expect(secrets.every((secret) => /^[A-Z2-7]{32}$/.test(secret))).toBe(true)
  expect(new Set(secrets).size).toBe(100)
})

test('the authenticator URL has the site and the account', () => {
  const uri = new URL(otpauthUri('site.test', '0xAbc', SECRET))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual(['otpauth:', 'totp', '/site.test:0xAbc'])
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: SECRET, issuer: 'site.test' })
})
