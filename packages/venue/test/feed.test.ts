import { CLOSE } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Feed, type FeedItem } from '../src/serve/streams/feed.ts'
import { textFrame } from '../src/serve/streams/frames.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A feed and its reader, which takes messages while its connection has room. */
function feed() {
  const outlet = { full: false, closed: null as number | null }
  const caughtUp = vi.fn()
  const leaving = new AbortController()
  const close = (code: number) => {
    outlet.closed = code
  }
  const made = new Feed({ buffered: () => (outlet.full ? 1 << 20 : 0), worked: () => {}, close }, caughtUp)
  const taken: FeedItem[] = []
  const end = (async () => {
    for await (const item of made.items(leaving.signal)) taken.push(item)
  })().then(
    () => 'left',
    (error) => error,
  )
  return { feed: made, outlet, caughtUp, taken, end, leave: () => leaving.abort() }
}
const settle = () => vi.advanceTimersByTimeAsync(30)
const say = (seq: number, bytes = 0) => ({ event_type: 'x', seq, ...(bytes ? { text: 'x'.repeat(bytes) } : {}) })

test('frames of one row are one item, at the position up to which it tells everything', async () => {
  const { feed: one, taken, end, leave } = feed()
  one.sendJson(say(3))
  one.cork()
  one.write(textFrame(JSON.stringify([say(4), say(4)])))
  one.write(textFrame(JSON.stringify(say(7, 70_000))))
  one.flush()
  await settle()
  expect(taken.map(({ position, messages }) => [position, messages.length])).toEqual([
    [3, 1],
    [7, 3],
  ])
  leave()
  expect(await end).toBe('left')
})

test('while the connection is full nothing is taken; a reader that has caught up is notified', async () => {
  const { feed: one, outlet, taken, caughtUp, leave } = feed()
  await settle()
  outlet.full = true
  for (let seq = 1; seq <= 3; seq++) one.sendJson(say(seq, 100_000))
  expect(one.slow).toBe(true)
  await settle()
  expect(taken.length).toBe(0)
  outlet.full = false
  await settle()
  expect([taken.length, one.slow, caughtUp.mock.calls.length]).toEqual([3, false, 1])
  leave()
})

test.each<[string, (one: Feed) => void]>([
  ['too long', () => vi.advanceTimersByTime(11_000)],
  ['too far', (one) => one.sendJson(say(9, 1_100_000))],
])('who is behind %s loses the connection, and may come back', async (_, fall) => {
  const { feed: one, outlet, end } = feed()
  outlet.full = true
  one.sendJson(say(1, 300_000))
  fall(one)
  one.check()
  expect(outlet.closed).toBe(CLOSE.slow)
  await settle()
  expect(await end).toMatchObject({ name: 'FeedEnded', code: CLOSE.slow })
})

test('the books of many markets alone are not too far, and a row may say more than a function takes arguments', async () => {
  const { feed: one, outlet, taken, leave } = feed()
  outlet.full = true
  one.sendJson(Array.from({ length: 150_000 }, (_, n) => say(n + 1)))
  one.sendJson(say(150_001, 1_000_000))
  one.check()
  expect(outlet.closed).toBe(null)
  outlet.full = false
  await settle()
  expect(taken.map(({ position, messages }) => [position, messages.length])).toEqual([
    [150_000, 150_000],
    [150_001, 1],
  ])
  leave()
})

test('an unauthorised subscription gets an error, and its connection goes on', async () => {
  const { feed: one, outlet, end } = feed()
  one.close(CLOSE.unauthenticated, 'the key was revoked')
  expect(await end).toMatchObject({ name: 'FeedEnded', code: CLOSE.unauthenticated })
  expect(outlet.closed).toBe(null)
})
