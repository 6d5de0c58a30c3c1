import { type WebBudgetName, webBudgets } from '@augury/wire/platform/budgets'
import type { Redis } from '../outbound/redis.ts'
import { type Budgets, memoryBudgets, overBudget } from './budgets.ts'

/** Lua: counts a call in the window that the first call opened; returns the count and the milliseconds left in the window. */
const COUNT = `
  local calls = redis.call('INCR', KEYS[1])
  if calls == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return { calls, redis.call('PTTL', KEYS[1]) }`

/**
 * Budgets shared by all processes of a deployment; `prefix` keeps deployments apart. While Redis does not answer, each process counts by
 * itself.
 */
export function redisBudgets(redis: Redis, prefix: string): Budgets {
  const own = memoryBudgets()
  return {
    async spend(name: WebBudgetName, key: string) {
      const { limit, seconds } = webBudgets[name]
      const keys = [`${prefix}budget:${name}:${key}`]
      const counted = (await redis.attempt((client) => client.eval(COUNT, { keys, arguments: [String(seconds * 1000)] }))) as
        | [number, number]
        | null
      if (counted === null) return own.spend(name, key)
      const [calls, left] = counted
      if (calls > limit) throw overBudget(name, 1, left)
    },
  }
}
