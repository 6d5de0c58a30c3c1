import { type VenueOperationName, venueOperations, venueRow } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'

const names = Object.keys(venueOperations) as VenueOperationName[]
const writes = names.filter((name) => venueRow(name).cost === 'write')

/** What takes away what was kept before, which had a budget: there is never more to take away than that. */
const TAKES_AWAY: ReadonlySet<VenueOperationName> = new Set(['deleteKey', 'deleteReadonlyKey', 'dropNotifications'])

test.each(writes)('%s writes: it has a budget, reduces risk, takes away what had one, or is for managers', (name) => {
  const { auth, rateLimit, shed } = venueRow(name)
  const isForManagers = auth === 'operator' || auth === 'venue'
  expect(rateLimit !== undefined || shed === 'reduces risk' || TAKES_AWAY.has(name) || isForManagers).toBe(true)
})

test.each(names.filter((name) => !writes.includes(name)))('%s only reads: it is never shed with what adds risk', (name) => {
  expect(venueRow(name).shed).not.toBe('adds risk')
})

test('what places orders is shed first', () => {
  const places = names.filter((name) => venueRow(name).refusals.includes('post_only_mode'))
  expect(places.length).toBeGreaterThan(0)
  for (const name of places) expect([name, venueRow(name).shed]).toEqual([name, 'adds risk'])
})
