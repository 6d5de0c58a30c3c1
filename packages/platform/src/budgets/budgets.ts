import { budgetHeaders } from '@augury/wire/budget'
import { type WebBudgetName, webBudgets } from '@augury/wire/platform/budgets'
import { ServiceError } from '@augury/wire/service-error'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Counts calls against the budgets of the web tier. */
export interface Budgets {
  /** Counts a call of `key`. Throws `rate_limited` with the state of the budget. */
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
        throw overBudget(name, factor, refusal.msBeforeNext)
      }
    },
  }
}

/** The refusal of a caller whose budget, `factor` times the default, is used up for some milliseconds. */
export function overBudget(name: WebBudgetName, factor: number, milliseconds: number): ServiceError {
  const { limit, seconds } = webBudgets[name]
  const resetSeconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const policy = { name, limit: limit * factor, seconds }
  return new ServiceError('rate_limited', {
    retryAfter: resetSeconds,
    headers: budgetHeaders({ allowed: false, policy, remaining: 0, resetSeconds }),
  })
}
