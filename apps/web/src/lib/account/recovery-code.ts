import { RefusedError } from '@augury/client/answer'

/** The answer to a recovery code. A wrong one is told of as such: the usual advice, about the time of the phone, is for codes of the authenticator. */
export async function byRecoveryCode<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'second_factor_failed') throw error
    throw new RefusedError(error.status, { ...error.body, code: 'recovery_code_failed' }, error.retryAfter)
  }
}
