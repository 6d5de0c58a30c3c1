import type { Operation } from '@augury/wire/operation'
import { type VenueOperationName, venueOperations } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { BUDGETED } from '../src/serve/access/budgets.ts'
import { SHED_CLASSES } from '../src/serve/access/shed-classes.ts'
import { LOOK_UP, READ_MANY, WRITE } from '../src/serve/operations/costs.ts'

const names = Object.keys(venueOperations) as VenueOperationName[]
const operation = (name: VenueOperationName): Operation => venueOperations[name]

/** What takes away what was kept before, which had a budget: there is never more to take away than that. */
const TAKES_AWAY: ReadonlySet<VenueOperationName> = new Set(['deleteKey', 'deleteReadonlyKey', 'dropNotifications'])

test('every operation has one cost, and its class by which it is shed', () => {
  expect(Object.keys(SHED_CLASSES).sort()).toEqual([...names].sort())
  expect([...LOOK_UP, ...READ_MANY, ...WRITE].sort()).toEqual([...names].sort())
})

test.each([...WRITE])('%s writes: it has a budget, reduces risk, takes away what had one, or is for managers', (name) => {
  const { auth } = operation(name)
  const isForManagers = auth === 'operator' || auth === 'venue'
  expect(BUDGETED[name] !== undefined || SHED_CLASSES[name] === 'reduces risk' || TAKES_AWAY.has(name) || isForManagers).toBe(true)
})

test.each(names.filter((name) => !WRITE.has(name)))('%s only reads: it is shed as a read, or shows an account where it stands', (name) => {
  expect(SHED_CLASSES[name]).not.toBe('adds risk')
  if (SHED_CLASSES[name] === 'reduces risk') expect(READ_MANY.has(name) || LOOK_UP.has(name)).toBe(true)
})

test('what places orders is shed first', () => {
  const places = names.filter((name) => operation(name).refusals.includes('post_only_mode'))
  expect(places.length).toBeGreaterThan(0)
  for (const name of places) expect([name, SHED_CLASSES[name]]).toEqual([name, 'adds risk'])
})
