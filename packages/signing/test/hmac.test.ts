import { createHmac } from 'node:crypto'
import { fc } from '@augury/testing/properties'
import { test } from 'vitest'
import { hmacOf, keyOf } from '../src/hmac.ts'

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
