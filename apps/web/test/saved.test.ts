import { expect, test } from 'vitest'
import { isEventId, readSaved, SAVED_MAX, withSaved, writeSaved } from '../src/lib/lists/saved.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

test('what is saved is read again, the latest first', () => {
  const saved = withSaved(withSaved([], id(1), true), id(2), true)
  expect(readSaved(writeSaved(saved))).toEqual([id(2), id(1)])
})

test('saving once more moves an event to the front, and removing takes it out', () => {
  expect(withSaved([id(2), id(1)], id(1), true)).toEqual([id(1), id(2)])
  expect(withSaved([id(2), id(1)], id(2), false)).toEqual([id(1)])
})

test('the oldest gives way when the cookie is full', () => {
  const full = Array.from({ length: SAVED_MAX }, (_, i) => id(i))
  expect(withSaved(full, id(99), true)).toEqual([id(99), ...full.slice(0, -1)])
})

test.each([undefined, '', 'x', `${id(1)}x`, "'; drop table event"])('a cookie of %j holds no event', (value) => {
  expect(readSaved(value)).toEqual([])
  expect(withSaved([], value ?? '', true)).toEqual([])
})

test.each(['', 'null', '1', `${id(1)}'`, `{${id(1)}}`])('no event has the id “%s”', (text) => {
  expect(isEventId(text)).toBe(false)
  expect(isEventId(id(1))).toBe(true)
})
