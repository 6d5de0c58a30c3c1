import { expect, test } from 'vitest'
import { shiftYears } from '../src/catalogue/shift-years.ts'
import { isPlaceholder } from '../src/catalogue/source-state.ts'

const END = new Date('2026-06-30T00:00:00Z')

test.each([
  ['Rain by June 30, 2026?', 'Rain by June 30, 2028?'],
  ['The 2025–26 season, the 2025-26 season, 2025/26, 2025–2026', 'The 2027–28 season, the 2027-28 season, 2027/28, 2027–2028'],
  ['Before 2027, or in 2026.', 'Before 2029, or in 2028.'],
  ['By 2026-06-30T12:00Z', 'By 2028-06-30T12:00Z'],
  ['Above $2026, 2,026, 2026%, 2026.5, 12026 or 20260', 'Above $2026, 2,026, 2026%, 2026.5, 12026 or 20260'],
  ['See https://a.org/2026/rain of 2026', 'See https://a.org/2026/rain of 2028'],
  ['As in 1998', 'As in 1998'],
])('“%s” two years on is “%s”', (text, moved) => {
  expect(shiftYears(text, 2, END)).toBe(moved)
  expect(shiftYears(text, 0, END)).toBe(text)
})

test.each(['Person B', 'player 12', 'Team AB', 'Candidate 3', 'Other A', 'TBD', 'To be announced'])('%s is a placeholder', (name) =>
  expect(isPlaceholder(name)).toBe(true),
)
test.each(['Any other club', 'Person of the year', 'Team USA', 'Party for Freedom', 'Movie night', '76ers', 'X', 'Will it rain?'])(
  '%s is none',
  (name) => expect(isPlaceholder(name)).toBe(false),
)
