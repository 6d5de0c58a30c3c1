import { fc } from '@augury/testing/properties'
import { budgetHeaders } from '@augury/wire/budget'
import { expect, test } from 'vitest'
import { Budgets, SlidingLog } from '../src/access/budgets.ts'

const policy = { name: 'cancel', limit: 3, seconds: 60 }

test('a window of any 60 seconds holds three calls, and the fourth waits for the first to leave', () => {
  const log = new SlidingLog(policy)
  const at = (ms: number) => {
    const { allowed, remaining, resetSeconds } = log.take('a', ms)
    return [allowed, remaining, resetSeconds]
  }
  expect([0, 1000, 59_000, 59_999].map(at)).toEqual([
    [true, 2, 60],
    [true, 1, 59],
    [true, 0, 1],
    [false, 0, 1],
  ])
  expect([60_000, 60_001, 61_000].map(at)).toEqual([
    [true, 0, 1],
    [false, 0, 1],
    [true, 0, 58],
  ])
})

test('keys do not share, and one that was quiet for a window is forgotten', () => {
  const log = new SlidingLog(policy)
  for (let i = 0; i < 3; i++) log.take('a', 0)
  expect(log.take('a', 1).allowed).toBe(false)
  expect(log.take('b', 1).allowed).toBe(true)
  expect(log.take('a', 60_001).remaining).toBe(2)
})

test('calls of a former process count', () => {
  const log = new SlidingLog(policy)
  for (const at of [100, 200, 300]) log.recall('a', at)
  expect(log.take('a', 400).allowed).toBe(false)
  expect(log.take('a', 60_100).allowed).toBe(true)
})

test('an internal tier has no limit, and a maker sixty times the default', () => {
  const budgets = new Budgets()
  expect(budgets.take('cancel', 'a', 'internal', 0)).toBeNull()
  expect(budgets.take('cancel', 'a', 'maker', 0)).toMatchObject({ policy: { limit: 6000 }, remaining: 5999 })
  expect(budgets.take('cancel', 'b', 'standard', 0)).toMatchObject({ policy: { limit: 100 }, remaining: 99 })
})

test('headers say where a caller stands, and when to come back', () => {
  expect(budgetHeaders({ allowed: false, policy, remaining: 0, resetSeconds: 12 })).toEqual({
    'RateLimit-Policy': '"cancel";q=3;w=60',
    RateLimit: '"cancel";r=0;t=12',
    'RateLimit-Limit': '3',
    'RateLimit-Remaining': '0',
    'RateLimit-Reset': '12',
    'Retry-After': '12',
  })
})

test('never more than the limit in any window, never fewer than a naive count would allow', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20_000)), { maxLength: 200 }), (steps) => {
      const log = new SlidingLog(policy)
      const admitted: { key: string; at: number }[] = []
      let now = 0
      for (const [key, pause] of steps) {
        now += pause
        const inWindow = admitted.filter((call) => call.key === key && call.at > now - 60_000).length
        const { allowed } = log.take(key, now)
        expect(allowed).toBe(inWindow < policy.limit)
        if (allowed) admitted.push({ key, at: now })
      }
    }),
  )
})
