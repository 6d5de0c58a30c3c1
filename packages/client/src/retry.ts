import { NoAnswerError, RefusedError } from './answer.ts'

/** How often to send the same bytes, and how long to wait in between. */
export interface RetryPolicy {
  attempts: number
  /** Milliseconds before the second attempt; doubles each time, with random jitter. */
  pauseMs: number
}

/** Three attempts within about a second. */
export const defaultRetry: RetryPolicy = { attempts: 3, pauseMs: 150 }

/** Codes of a temporarily unavailable service. */
const passing: readonly unknown[] = ['service_unavailable', 'overloaded', 'read_model_lagging', 'standby']

/** Whether the request was refused before it was executed: unauthenticated, over a rate limit, or the service is unavailable. */
const isNotRun = ({ status, code }: RefusedError): boolean => status === 401 || status === 429 || (status === 503 && passing.includes(code))

/** Whether sending the same bytes again may help. */
const mayHelp = (error: unknown): boolean =>
  error instanceof NoAnswerError || (error instanceof RefusedError && error.status === 503 && isNotRun(error))

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Runs `attempt` until it succeeds, is refused for good, or the policy is exhausted. Only for `repeatable` requests. After an attempt without a
 * response, such a refusal does not prove that nothing took effect, so the `NoAnswerError` is thrown.
 */
export async function withRetries<T>({ attempts, pauseMs }: RetryPolicy, attempt: () => Promise<T>): Promise<T> {
  let unanswered: NoAnswerError | null = null
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof NoAnswerError) unanswered ??= error
      const isOver = count >= attempts || !mayHelp(error)
      if (isOver && unanswered && error instanceof RefusedError && isNotRun(error)) throw unanswered
      if (isOver) throw error
      await sleep(pauseMs * 2 ** (count - 1) * (0.5 + Math.random()))
    }
  }
}
