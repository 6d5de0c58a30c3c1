import { expect, test } from 'vitest'
import { addingUp, shownFunds } from '../src/lib/portfolio/adding-up.ts'

test.each([
  ['nothing', 0, [0, 0], 0, [0, 0]],
  ['parts that round as their sum does', 5.31, [2.2, 3.11], 5.31, [2.2, 3.11]],
  ['halves of a cent', 0.01, [0.005, 0.005], 0.01, [0, 0.01]],
  ['a loss and a gain', -5.333333, [-6.336666, 1.003333], -5.33, [-6.33, 1]],
  ['a part of which nothing is left', 1, [1.004, -0.004, 0], 1, [1, 0, 0]],
])('what is shown adds up: %s', (_, total, parts, shown, pieces) => {
  const told = addingUp(total, parts)
  expect(told.total).toBe(shown)
  expect(told.parts.map((part) => part + 0)).toEqual(pieces)
  expect(Math.round(told.parts.reduce((sum, part) => sum + part, 0) * 100)).toBe(Math.round(shown * 100))
})

test('positions, cash and what is reserved add up to the total, as they are shown', () => {
  const figures = { cost: 0, unpriced: 0, profit: 0, realised: 0, unrealised: 0, fees: 0, rewards: 0, usable: true, holds: [] }
  const cash = { balance: '745617700', reserved: '0', available: '745617700' }
  expect(shownFunds({ ...figures, value: 247.46, cash })).toEqual({ total: 993.08, held: 247.46, free: 745.62, kept: 0 })
  expect(shownFunds({ ...figures, value: 247.46, cash: null })).toBe(null)
})
