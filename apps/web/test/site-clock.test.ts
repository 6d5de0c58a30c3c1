import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const AT = Date.UTC(2026, 4, 1, 12)
const DAY = 86_400_000
type Clock = typeof import('../src/lib/language/site-clock.ts')
/** A page on a device whose clock is off by so much. */
async function pageOn(off: number): Promise<Clock> {
  vi.setSystemTime(AT + off)
  vi.resetModules()
  return import('../src/lib/language/site-clock.ts')
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test.each([-DAY, -5_000, 0, 5_000, DAY])('on a device that is off by %i ms it is the time that the site says', async (off) => {
  const { siteNow, syncSiteClock } = await pageOn(off)
  syncSiteClock(AT)
  expect(siteNow()).toBe(AT)
  vi.advanceTimersByTime(90_000)
  expect(siteNow()).toBe(AT + 90_000)
})

test('a page that waited to be shown sets no clock back, and one that was made later sets it on', async () => {
  const { siteNow, syncSiteClock } = await pageOn(DAY)
  syncSiteClock(AT)
  vi.advanceTimersByTime(60_000)
  syncSiteClock(AT + 10_000)
  expect(siteNow()).toBe(AT + 60_000)
  syncSiteClock(AT + 62_000)
  expect(siteNow()).toBe(AT + 62_000)
})

test('an answer sets a clock right that is ahead of when it was made, whatever it took to come', async () => {
  const { siteNow, syncSiteClock } = await pageOn(0)
  syncSiteClock(AT)
  // It came after five seconds, and names the second in which it was made.
  vi.advanceTimersByTime(5_000)
  syncSiteClock(AT, AT + 400)
  expect(siteNow()).toBe(AT + 5_000)
  // The device's clock is set on by a day meanwhile.
  vi.setSystemTime(AT + 5_000 + DAY)
  syncSiteClock(AT + 5_000, siteNow())
  expect(siteNow()).toBe(AT + 6_000)
})

test('an answer that says no time changes nothing, also where it is the first', async () => {
  const { siteNow, syncSiteClock } = await pageOn(0)
  syncSiteClock(Number.NaN)
  expect(siteNow()).toBe(AT)
  syncSiteClock(AT)
  syncSiteClock(Number.NaN, AT + DAY)
  expect(siteNow()).toBe(AT)
})
