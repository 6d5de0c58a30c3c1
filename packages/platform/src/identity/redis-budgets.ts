import { type WebBudgetName, webBudgets } from '@augury/wire/platform/budgets'
import type { Redis } from '../redis.ts'
import { type Budgets, memoryBudgets, overBudget } from './budgets.ts'

/** Counts a call in the window that the first one opened: how many there are now, and the milliseconds that the window has left. */
const COUNT = `
  local calls = redis.call('INCR', KEYS[1])
  if calls == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return { calls, redis.call('PTTL', KEYS[1]) }`

/**
 * Budgets that all processes of a deployment share, `factor` times the default; `prefix` keeps deployments apart. While Redis does not
 * answer, each process counts for itself: nobody is let through for that, and nobody refused.
 */
export function redisBudgets(redis: Redis, prefix: string, factor = 1): Budgets {
  const own = memoryBudgets(factor)
  return {
    async spend(name: WebBudgetName, key: string) {
      const { limit, seconds } = webBudgets[name]
      const keys = [`${prefix}budget:${name}:${key}`]
      const counted = (await redis.attempt((client) => client.eval(COUNT, { keys, arguments: [String(seconds * 1000)] }))) as
        | [number, number]
        | null
      if (counted === null) return own.spend(name, key)
      const [calls, left] = counted
      if (calls > limit * factor) throw overBudget(name, factor, left)
    },
  }
}
