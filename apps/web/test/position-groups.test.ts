import type { Position } from '@augury/wire/data'
import { expect, test } from 'vitest'
import { positionGroups } from '../src/lib/portfolio/position-groups.ts'

const held = (asset: string, eventSlug: string, more: Partial<Position> = {}): Position =>
  ({
    ...{ asset, eventSlug, conditionId: asset, title: asset, size: 10, avgPrice: 0.4, curPrice: 0.5, outcomeIndex: 0 },
    ...{ currentValue: 5, initialValue: 4, cashPnl: 1, priced: true, redeemable: false, negativeRisk: false },
    ...more,
  }) as Position
const cup = { title: 'World Cup', picture: '/cup.svg' }
const assets = (groups: ReturnType<typeof positionGroups>) => groups.map(({ slug, rows }) => [slug, ...rows.map(({ asset }) => asset)])

test('positions of an event stand together, and events are sorted by their sums', () => {
  const rows = [held('a', 'cup', { currentValue: 3 }), held('big', 'solo', { currentValue: 6 }), held('b', 'cup', { currentValue: 4 })]
  const groups = positionGroups(rows, { cup }, { by: 'value', up: false })
  expect(assets(groups)).toEqual([
    ['cup', 'b', 'a'],
    ['solo', 'big'],
  ])
  expect(groups[0]).toMatchObject({ event: cup, value: 7, profit: 2, percent: 25 })
  expect(groups[1]!.event).toBeNull()
  expect(assets(positionGroups(rows, { cup }, { by: 'value', up: true }))).toEqual([
    ['solo', 'big'],
    ['cup', 'a', 'b'],
  ])
  const byPrice = [held('a', 'cup', { curPrice: null }), held('b', 'solo', { curPrice: 0.2 }), held('c', 'cup', { curPrice: 0.9 })]
  expect(assets(positionGroups(byPrice, {}, { by: 'price', up: false }))).toEqual([
    ['cup', 'c', 'a'],
    ['solo', 'b'],
  ])
})

test('what has no price counts in the value and not in the profit', () => {
  const [group] = positionGroups(
    [held('a', 'cup'), held('b', 'cup', { priced: false, currentValue: 2, initialValue: 2, cashPnl: 0 })],
    {},
    { by: 'value', up: false },
  )
  expect(group).toMatchObject({ value: 7, profit: 1, percent: 25 })
  expect(positionGroups([held('a', 'cup', { priced: false })], {}, { by: 'pnl', up: false })[0]!.percent).toBeNull()
})

test.each<[name: string, rows: Position[], win: number]>([
  ['markets of their own can all win', [held('a', 'e', { size: 10 }), held('b', 'e', { size: 5 })], 15],
  [
    'of one market only one outcome wins',
    [held('a', 'e', { size: 10 }), held('n', 'e', { conditionId: 'a', outcomeIndex: 1, size: 4 })],
    10,
  ],
  [
    'of excluding answers one wins',
    [held('a', 'e', { negativeRisk: true, size: 10 }), held('b', 'e', { negativeRisk: true, size: 5 })],
    10,
  ],
  [
    'No shares of excluding answers all win when another answer does',
    [held('a', 'e', { negativeRisk: true, outcomeIndex: 1, size: 10 }), held('b', 'e', { negativeRisk: true, outcomeIndex: 1, size: 5 })],
    15,
  ],
  [
    'a Yes beside a No of another answer',
    [held('a', 'e', { negativeRisk: true, size: 10 }), held('b', 'e', { negativeRisk: true, outcomeIndex: 1, size: 5 })],
    15,
  ],
  ['what is decided wins nothing more', [held('a', 'e', { redeemable: true })], 0],
])('the most that an event pays: %s', (_, rows, win) => {
  expect(positionGroups(rows, {}, { by: 'value', up: false })[0]!.win).toBe(win)
})
