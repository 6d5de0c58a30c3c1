import { NoAnswerError, RefusedError } from './answer.ts'

/** How often to send the same bytes, and how long to wait in between. */
export interface RetryPolicy {
  attempts: number
  /** Milliseconds before the second attempt; doubles each time, with random jitter, and comes on top of a `Retry-After`. */
  pauseMs: number
  /** Longest `Retry-After` that is waited for, in milliseconds; 2000 by default. A refusal that asks for more is thrown at once. */
  patienceMs?: number
}

const PATIENCE_MS = 2000

/** Three attempts, within about half a second unless the service asks to wait. */
export const defaultRetry: RetryPolicy = { attempts: 3, pauseMs: 150 }

/** Codes of a temporarily unavailable service. */
const passing: readonly unknown[] = ['service_unavailable', 'overloaded', 'read_model_lagging', 'standby', 'cancel_failed']

/** Whether the request was refused before it was executed: unauthenticated, over a rate limit, or the service is unavailable. */
const isNotRun = ({ status, code }: RefusedError): boolean => status === 401 || status === 429 || (status >= 500 && passing.includes(code))

/** Whether sending the same bytes again may help. */
const mayHelp = (error: unknown): boolean =>
  error instanceof NoAnswerError || (error instanceof RefusedError && error.status >= 500 && isNotRun(error))

/** Milliseconds for which the service asked not to be called. */
const askedMs = (error: unknown): number => (error instanceof RefusedError ? (error.retryAfter ?? 0) * 1000 : 0)

/** Waits, at most until the signal. */
const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })

/**
 * Runs `attempt` until it succeeds, is refused for good, the policy is exhausted or the signal says so. Only for `repeatable` requests. After an
 * attempt without a response, such a refusal does not prove that nothing took effect, so the `NoAnswerError` is thrown.
 */
export async function withRetries<T>(policy: RetryPolicy, attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const { attempts, pauseMs, patienceMs = PATIENCE_MS } = policy
  let unanswered: NoAnswerError | null = null
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof NoAnswerError) unanswered ??= error
      const mayRepeat = count < attempts && mayHelp(error) && askedMs(error) <= patienceMs
      if (mayRepeat) await sleep(askedMs(error) + pauseMs * 2 ** (count - 1) * (0.5 + Math.random()), signal)
      if (mayRepeat && !signal?.aborted) continue
      throw unanswered && error instanceof RefusedError && isNotRun(error) ? unanswered : error
    }
  }
}
