import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { expect, test } from 'vitest'
import { byRecoveryCode } from '../src/lib/account/recovery-code.ts'
import { troubleOf } from '../src/lib/failure/trouble.ts'

const refused = (code: string) => new RefusedError(401, { error: 'The code is wrong.', code, request_id: 'id-1' }, 30)
/** Returns the error text of a failed recovery code. */
const told = (error: Error) => troubleOf(error, 'Not accepted.')
const failure = (error: Error) => byRecoveryCode(Promise.reject(error)).then(String, (thrown) => thrown)

test('a wrong recovery code is advised on as one, not as a code of the authenticator', async () => {
  expect(await told(await failure(refused('second_factor_failed')))).toEqual({
    what: 'Not accepted. The recovery code is not right, or was used before.',
    money: 'No money moved.',
    remedy: 'Check what you typed, or take another one: each works once.',
    requestId: 'id-1',
  })
  expect((await told(refused('second_factor_failed'))).remedy).toContain('time of your phone')
})

test('every other failure stays as it is, and so does the answer', async () => {
  for (const error of [refused('second_factor_locked'), new NoAnswerError('silence')]) expect(await failure(error)).toBe(error)
  expect(await byRecoveryCode(Promise.resolve(1))).toBe(1)
})
