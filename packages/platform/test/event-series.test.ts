import { draftContent } from '@augury/wire/platform/draft'
import { occurrence } from '@augury/wire/platform/occurrence'
import { expect, test } from 'vitest'
import { nextEnd } from '../src/creation/event-series.ts'

test.each([
  ['daily', '2026-12-31T06:00:00Z', '2027-01-01T06:00:00.000Z'],
  ['weekly', '2026-12-28T06:00:00Z', '2027-01-04T06:00:00.000Z'],
  ['monthly', '2027-01-31T06:00:00Z', '2027-02-28T06:00:00.000Z'],
  ['monthly', '2026-12-15T06:00:00Z', '2027-01-15T06:00:00.000Z'],
] as const)('what comes %s comes after %s at %s', (recurrence, end, next) => {
  expect(nextEnd(new Date(end), recurrence).toISOString()).toBe(next)
  expect(occurrence(draftContent.parse({ slug: 'a-{date}' }), new Date(end)).slug).toBe(`a-${end.slice(0, 10)}`)
})

test('an event ending with the month still does after a shorter month', () => {
  const first = new Date('2027-12-31T06:00:00Z')
  const days = [first]
  while (days.length < 5) days.push(nextEnd(days.at(-1)!, 'monthly', first))
  expect(days.map((day) => day.toISOString().slice(0, 10))).toEqual(['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'])
})

test('a day changed by an admin applies from then on', () => {
  expect(nextEnd(new Date('2027-03-15T06:00:00Z'), 'monthly', new Date('2027-01-31T06:00:00Z')).toISOString()).toBe(
    '2027-04-15T06:00:00.000Z',
  )
})
