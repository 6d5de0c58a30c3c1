import { NoAnswerError, RefusedError } from './answer.ts'

/** How often and how long the same bytes are sent again. */
export interface RetryPolicy {
  attempts: number
  /** Milliseconds before the second attempt; doubles each time, with random jitter. */
  pauseMs: number
}

/** Three attempts within about a second. */
export const defaultRetry: RetryPolicy = { attempts: 3, pauseMs: 150 }

/** Codes of a service that cannot take the request now, which is no decision about it. */
const passing: readonly unknown[] = [undefined, 'service_unavailable', 'overloaded', 'read_model_lagging', 'standby']

/** Whether the request was turned away unread: the service is busy, the caller is unknown or over a limit, or the clock is off. */
const isUnseen = ({ status, code }: RefusedError): boolean => status === 401 || status === 429 || (status === 503 && passing.includes(code))

/** Whether sending the same bytes again may help. */
const mayHelp = (error: unknown): boolean =>
  error instanceof NoAnswerError || (error instanceof RefusedError && error.status === 503 && isUnseen(error))

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Runs `attempt` until it answers, refuses for good, or the policy is exhausted. Only for requests that are `repeatable`. When one
 * attempt had no answer, a later one that was turned away unread does not prove that nothing took effect: the missing answer is thrown.
 */
export async function withRetries<T>({ attempts, pauseMs }: RetryPolicy, attempt: () => Promise<T>): Promise<T> {
  let unanswered: NoAnswerError | null = null
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof NoAnswerError) unanswered ??= error
      const isOver = count >= attempts || !mayHelp(error)
      if (isOver && unanswered && error instanceof RefusedError && isUnseen(error)) throw unanswered
      if (isOver) throw error
      await sleep(pauseMs * 2 ** (count - 1) * (0.5 + Math.random()))
    }
  }
}
