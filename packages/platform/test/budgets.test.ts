import { eventually } from '@augury/testing/eventually'
import { redisBinary, startRedis } from '@augury/testing/redis-server'
import { webBudgets } from '@augury/wire/platform/budgets'
import type { ServiceError } from '@augury/wire/service-error'
import { afterAll, describe, expect, test } from 'vitest'
import { type Budgets, memoryBudgets } from '../src/budgets/budgets.ts'
import { redisBudgets } from '../src/budgets/redis-budgets.ts'
import { openRedis, type Redis } from '../src/outbound/redis.ts'

const server = redisBinary === null ? null : await startRedis(redisBinary)
const opened: Redis[] = []
afterAll(async () => {
  for (const redis of opened) redis.close()
  await server?.kill()
})

let deployments = 0
/** The budgets of several processes of a deployment; without Redis it is one process. */
async function processes(count: number): Promise<Budgets[]> {
  const prefix = `test:${++deployments}:`
  return Promise.all(
    Array.from({ length: count }, async () => {
      const redis = openRedis(server!.url)
      opened.push(redis)
      await eventually(() => expect(redis.client.isReady).toBe(true))
      return redisBudgets(redis, prefix)
    }),
  )
}

/** How many concurrent calls are allowed. */
const through = async (budgets: readonly Budgets[], key: string, calls: number) => {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, call) =>
      budgets[call % budgets.length]!.spend('credentials', key).then(
        () => true,
        () => false,
      ),
    ),
  )
  return answers.filter(Boolean).length
}
const { limit } = webBudgets.credentials

const kinds: [string, () => Promise<Budgets>][] = [
  ['in memory', async () => memoryBudgets()],
  ...(server ? [['in Redis', async () => (await processes(1))[0]!] as [string, () => Promise<Budgets>]] : []),
]

describe.each(kinds)('budgets %s', (_, open) => {
  test('allow as many calls as defined, by key and by name', async () => {
    const budgets = await open()
    expect([await through([budgets], 'ann', 3 * limit), await through([budgets], 'bob', limit)]).toEqual([limit, limit])
    await budgets.spend('comments', 'ann')
  })

  test('say how long to wait', async () => {
    const budgets = await open()
    await through([budgets], 'ann', limit)
    const refusal: ServiceError = await budgets.spend('credentials', 'ann').then(
      () => Promise.reject(new Error('let through')),
      (error) => error,
    )
    expect([refusal.code, refusal.retryAfter! > 0, refusal.retryAfter! <= webBudgets.credentials.seconds]).toEqual([
      'rate_limited',
      true,
      true,
    ])
  })

  test('accept any text as a key', async () => {
    const budgets = await open()
    for (const key of ['', '2001:db8::/64', 'a\r\nSET x 1', '__proto__', 'é'.repeat(1000)]) await budgets.spend('search', key)
    expect(await through([budgets], '__proto__', limit + 1)).toBe(limit)
  })
})

describe.each(server ? ['budgets of several processes over one Redis'] : [])('%s', () => {
  test('several processes share one budget', async () => {
    expect(await through(await processes(4), 'ann', 4 * limit)).toBe(limit)
  })

  test('while Redis is unavailable or frozen each process counts by itself, and answers soon', async () => {
    const [one, other] = await processes(2)
    server!.freeze()
    expect([await through([one!], 'ann', 2 * limit), await through([other!], 'ann', 2 * limit)]).toEqual([limit, limit])
    server!.thaw()
    await server!.kill()
    expect(await through([one!], 'bob', 2 * limit)).toBe(limit)
    await server!.restart()
  })

  test('a command that cannot even be written is one that failed', async () => {
    const redis = openRedis(server!.url)
    opened.push(redis)
    await eventually(() => expect(redis.client.isReady).toBe(true))
    const unwritten = redis.attempt(() => {
      throw new TypeError('no argument of a command')
    })
    expect(await unwritten).toBeNull()
  })
})
