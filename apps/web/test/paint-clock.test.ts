import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PaintClock } from '../src/lib/book/paint-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function painting() {
  let paints = 0
  const clock = new PaintClock(() => paints++)
  return { clock, paints: () => paints }
}

test('whatever is heard within a tenth of a second is painted once, at its end', () => {
  const { clock, paints } = painting()
  for (let i = 0; i < 50; i++) clock.request()
  vi.advanceTimersByTime(99)
  expect(paints()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(paints()).toBe(1)
})

test('nothing is painted before the last paint is on the screen, and then what was heard meanwhile', () => {
  const { clock, paints } = painting()
  clock.request()
  vi.advanceTimersByTime(100)
  clock.request()
  vi.advanceTimersByTime(10_000)
  expect(paints()).toBe(1)
  clock.painted()
  vi.advanceTimersByTime(100)
  expect(paints()).toBe(2)
})

test('a paint after which nothing was heard is the last', () => {
  const { clock, paints } = painting()
  clock.request()
  vi.advanceTimersByTime(100)
  clock.painted()
  vi.advanceTimersByTime(10_000)
  expect(paints()).toBe(1)
})
