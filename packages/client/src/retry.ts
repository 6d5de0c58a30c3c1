import { NoAnswerError, RefusedError } from './answer.ts'

/** How often and how long the same bytes are sent again. */
export interface RetryPolicy {
  attempts: number
  /** Milliseconds before the second attempt; doubles each time, with chance. */
  pauseMs: number
}

/** Three attempts within about a second. */
export const defaultRetry: RetryPolicy = { attempts: 3, pauseMs: 150 }

/** The service could not look at the request now; it did not decide against it. */
const passing: readonly unknown[] = ['service_unavailable', 'overloaded', 'read_model_lagging', 'standby']

/** Whether sending the same bytes again may help. */
function mayHelp(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true
  if (!(error instanceof RefusedError)) return false
  return (
    error.status === 502 || error.status === 504 || (error.status === 503 && (error.code === undefined || passing.includes(error.code)))
  )
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Runs `attempt` until it answers, refuses for good, or the policy is exhausted. Only for requests that are `repeatable`. */
export async function withRetries<T>({ attempts, pauseMs }: RetryPolicy, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count >= attempts || !mayHelp(error)) throw error
      await sleep(pauseMs * 2 ** (count - 1) * (0.5 + Math.random()))
    }
  }
}
