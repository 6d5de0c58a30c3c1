import { fc } from '@augury/testing/properties'
import { budgetHeaders } from '@augury/wire/budget'
import { refusalCodesOf } from '@augury/wire/documents/openapi'
import { type VenueOperationName, venueOperations, venueRow } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { Budgets, SlidingLog, type Tier } from '../src/serve/access/budgets.ts'

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
  const take = (key: string, tier: Tier) => budgets.take('cancel', key, '192.0.2.1', tier, 0)
  expect(take('a', 'internal')).toBeNull()
  expect(take('a', 'maker')).toMatchObject({ policy: { limit: 6000 }, remaining: 5999 })
  expect(take('b', 'standard')).toMatchObject({ policy: { limit: 100 }, remaining: 99 })
})

test('several calls at once are counted all or none, and told when there is room for all of them', () => {
  const log = new SlidingLog({ name: 'orders', limit: 10, seconds: 60 })
  const at = (ms: number, count: number) => {
    const { allowed, remaining, resetSeconds } = log.take('a', ms, undefined, count)
    return [allowed, remaining, resetSeconds]
  }
  expect([at(0, 4), at(5000, 4)]).toEqual([
    [true, 6, 60],
    [true, 2, 55],
  ])
  expect([at(10_000, 3), at(10_000, 7)]).toEqual([
    [false, 2, 50], // the first four make room for three
    [false, 2, 55], // for seven it takes those after them
  ])
  expect([at(10_000, 0), at(10_000, 2), at(10_000, 0)]).toEqual([
    [true, 2, 50], // looking counts nothing
    [true, 0, 50],
    [false, 0, 50],
  ])
})

test('a budget that does not hold here holds for clients from elsewhere', () => {
  const budgets = new Budgets(['orders'])
  expect(budgets.take('orders', 'a', '127.0.0.1', 'standard', 0)).toBeNull()
  expect(budgets.take('orders', 'a', '192.0.2.1', 'standard', 0)).toMatchObject({ policy: { limit: 2000 }, remaining: 1999 })
  expect(budgets.take('cancel', 'a', '127.0.0.1', 'standard', 0)).toMatchObject({ remaining: 99 })
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
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20_000), fc.nat(3)), { maxLength: 200 }), (steps) => {
      const log = new SlidingLog(policy)
      const admitted: { key: string; at: number }[] = []
      let now = 0
      for (const [key, pause, count] of steps) {
        now += pause
        const inWindow = admitted.filter((call) => call.key === key && call.at > now - 60_000)
        const { allowed, remaining, resetSeconds } = log.take(key, now, undefined, count)
        expect(allowed).toBe(inWindow.length + Math.max(1, count) <= policy.limit)
        if (allowed) for (let n = 0; n < count; n++) admitted.push({ key, at: now })
        expect(remaining).toBe(policy.limit - inWindow.length - (allowed ? count : 0))
        // A refused one is let in when the headers say so, and not a second before.
        const then = (seconds: number) => inWindow.filter((call) => call.at > now + 1000 * seconds - 60_000).length + count <= policy.limit
        if (!allowed && count > 0) expect([then(resetSeconds), then(resetSeconds - 1)]).toEqual([true, false])
      }
    }),
  )
})

test('what has a budget says so in its document, and nothing else does', () => {
  const names = Object.keys(venueOperations) as VenueOperationName[]
  const documented = names.filter((name) => refusalCodesOf(venueOperations[name]).has('rate_limited'))
  expect(documented).toEqual(names.filter((name) => venueRow(name).rateLimit))
})
