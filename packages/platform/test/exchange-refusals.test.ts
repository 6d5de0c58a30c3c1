import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { expect, test } from 'vitest'
import { asRefusal, isRevoked } from '../src/exchange/exchange-refusals.ts'

const refused = (status: number, code: string) =>
  new RefusedError(status, { error: 'said so', code, state: 'filled' }, 7, { RateLimit: '"cancels";r=0;t=7' })

test.each([
  [refused(401, 'unknown_key'), true],
  [refused(401, 'bad_signature'), true],
  [refused(401, 'bad_passphrase'), true],
  [refused(401, 'stale_timestamp'), false],
  [refused(403, 'account_banned'), false],
  [new NoAnswerError('away'), false],
])('%o means that a key is revoked: %s', (error, revoked) => {
  expect(isRevoked(error)).toBe(revoked)
})

test.each<[unknown, boolean, object]>([
  [refused(409, 'order_ended'), true, { code: 'order_ended', message: 'said so', extras: { state: 'filled' }, retryAfter: 7 }],
  [refused(429, 'rate_limited'), true, { code: 'rate_limited', retryAfter: 7, headers: { RateLimit: '"cancels";r=0;t=7' } }],
  [refused(401, 'stale_timestamp'), true, { code: 'service_unavailable', status: 503 }],
  [new NoAnswerError('away'), true, { code: 'outcome_unknown', status: 500 }],
  [new NoAnswerError('away'), false, { code: 'service_unavailable', status: 503 }],
])('%o, where something changes %s, is refused as %o', (error, changes, refusal) => {
  expect(asRefusal(error, changes)).toMatchObject(refusal)
})

test('an unknown refusal is a bug', () => {
  const [strange, bug] = [refused(418, 'teapot'), new TypeError('no such thing')]
  expect([asRefusal(strange, true), asRefusal(bug, true)]).toEqual([strange, bug])
})
