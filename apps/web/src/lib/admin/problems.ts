import { RefusedError } from '@augury/client/answer'

/** A refused field, by path, and the reason. */
export interface Problem {
  path: string
  problem: string
}

/** The fields that a refusal names; none of any other error. */
export const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof RefusedError && error.code === 'invalid_payload' && Array.isArray(error.details) ? error.details : []
