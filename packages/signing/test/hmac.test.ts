import { createHmac } from 'node:crypto'
import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { hmacOf, keyOf } from '../src/hmac.ts'
import wycheproof from './vectors/wycheproof/hmac_sha256_test.json' with { type: 'json' }

test('is the HMAC-SHA256 of the platform, for keys and messages of every length', () => {
  const secrets = fc.uint8Array({ minLength: 1, maxLength: 200 })
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(16_000, 16_384, 40_000).map((length) => Buffer.alloc(length, 7)),
  )
  fc.assert(
    fc.property(secrets, fc.string({ unit: 'binary' }), bodies, (secret, head, body) => {
      return hmacOf(keyOf(secret), head, body).equals(createHmac('sha256', secret).update(head).update(body).digest())
    }),
  )
})

test.each(wycheproof.testGroups.flatMap(({ tests, tagSize }) => tests.map((each) => ({ ...each, bytes: tagSize / 8 }))))(
  'wycheproof $tcId ($comment): $result',
  ({ key, msg, tag, result, bytes }) => {
    const mac = hmacOf(keyOf(Buffer.from(key, 'hex')), '', Buffer.from(msg, 'hex'))
    expect(mac.toString('hex', 0, bytes) === tag).toBe(result === 'valid')
  },
)
