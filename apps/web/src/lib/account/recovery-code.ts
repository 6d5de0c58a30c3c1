import { RefusedError } from '@augury/client/answer'

/** Submits a recovery code. A wrong one gets an error of its own: the usual advice, to check the phone's clock, is for authenticator codes. */
export async function byRecoveryCode<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'second_factor_failed') throw error
    throw new RefusedError(error.status, { ...error.body, code: 'recovery_code_failed' }, error.retryAfter)
  }
}
