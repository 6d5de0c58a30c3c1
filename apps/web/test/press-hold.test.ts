import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PressHold } from '../src/lib/press-hold.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function holding() {
  const page = new EventTarget()
  const hold = new PressHold(page)
  let done = 0
  return {
    press: (type = 'keydown') => page.dispatchEvent(new Event(type)),
    work: () => hold.whenFree(() => done++),
    close: () => hold.close(),
    done: () => done,
  }
}

test('work is done at once when nobody presses anything', () => {
  const { press, work, done } = holding()
  work()
  expect(done()).toBe(1)
  press()
  vi.advanceTimersByTime(150)
  work()
  expect(done()).toBe(2)
})

test.each(['pointerdown', 'pointerup', 'keydown'])('after a %s work waits until the press has been answered', (type) => {
  const { press, work, done } = holding()
  press(type)
  vi.advanceTimersByTime(50)
  work()
  vi.advanceTimersByTime(99)
  expect(done()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(done()).toBe(1)
})

test('work waits for a second press too, but not for as long as presses go on', () => {
  const { press, work, done } = holding()
  press()
  work()
  for (let pressed = 0; pressed < 5; pressed++) {
    vi.advanceTimersByTime(50)
    press()
  }
  expect(done()).toBe(0)
  vi.advanceTimersByTime(50)
  expect(done()).toBe(1)
})

test('work that waits when it is over is not done', () => {
  const { press, work, close, done } = holding()
  press()
  work()
  close()
  vi.advanceTimersByTime(10_000)
  expect(done()).toBe(0)
})
