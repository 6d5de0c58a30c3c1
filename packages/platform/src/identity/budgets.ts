import { type WebBudgetName, webBudgets } from '@augury/wire/platform/budgets'
import { ServiceError } from '@augury/wire/service-error'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Counts calls against the budgets of the web tier. */
export interface Budgets {
  /** Counts a call of `key`. Refuses `rate_limited` with the seconds to wait. */
  spend(name: WebBudgetName, key: string): Promise<void>
}

/** Budgets of one process, `factor` times the default. */
export function memoryBudgets(factor = 1): Budgets {
  const limiters = new Map(
    Object.entries(webBudgets).map(([name, { limit, seconds }]) => [
      name,
      new RateLimiterMemory({ points: limit * factor, duration: seconds }),
    ]),
  )
  return {
    async spend(name, key) {
      try {
        await limiters.get(name)!.consume(key)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw new ServiceError('rate_limited', { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) })
      }
    },
  }
}
