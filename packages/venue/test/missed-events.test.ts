import { ServiceError } from '@augury/wire/service-error'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followUser } from '../src/serve/subscriptions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An account whose events have the positions 1 to 300, and a subscriber of all of them; each page has a hundred. */
function subscriber(refusals: ServiceError[] = []) {
  const outlet = { full: false }
  const asked: number[] = []
  const leaving = new AbortController()
  const edge = {
    context: { venue: { timeline: 1 }, exchange: { seq: 300 } },
    userStream: { follow: () => ({ ack: { event_type: 'subscribed' }, leave: () => {} }) },
    gateway: {
      countWithin: () => {
        const refusal = refusals.shift()
        if (refusal) throw refusal
      },
    },
    run: async (_: string, __: object, { query: { after, limit } }: { query: { after: number; limit: number } }) => {
      asked.push(after)
      return { data: Array.from({ length: limit }, (_, n) => ({ event_type: 'order', seq: after + n + 1 })), seq: after + limit }
    },
  }
  const told: number[] = []
  const end = (async () => {
    const connection = { buffered: () => (outlet.full ? 1 << 20 : 0), worked: () => {}, close: () => {} }
    for await (const { position } of followUser(edge as never, { account: '0x1' } as never, connection, { after: 0 }, leaving.signal))
      told.push(position)
  })().then(
    () => 'left',
    (error) => error,
  )
  return { outlet, asked, told, end, leave: () => leaving.abort() }
}

test('what was missed is read as fast as the connection takes it, and no faster', async () => {
  const { outlet, asked, told, end, leave } = subscriber()
  outlet.full = true
  await vi.advanceTimersByTimeAsync(1000)
  expect([asked, told]).toEqual([[], [0]])
  outlet.full = false
  await vi.advanceTimersByTimeAsync(30)
  expect([asked, told]).toEqual([
    [0, 100, 200],
    [0, 100, 200, 300],
  ])
  leave()
  expect(await end).toBe('left')
})

test('its pages count against the budget, whose end is waited for', async () => {
  const usedUp = new ServiceError('rate_limited', { retryAfter: 1 })
  const { asked, told, leave } = subscriber([usedUp, usedUp])
  await vi.advanceTimersByTimeAsync(1000)
  expect([asked, told.at(-1)]).toEqual([[0, 100, 200], 300])
  leave()
  const banned = subscriber([new ServiceError('unknown_key')])
  await vi.advanceTimersByTimeAsync(1000)
  expect([await banned.end, banned.asked]).toEqual([expect.objectContaining({ code: 'unknown_key' }), []])
})
