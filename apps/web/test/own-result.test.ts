import type { Activity, Position } from '@augury/wire/data'
import { expect, test } from 'vitest'
import type { MarketView } from '../src/lib/event/event-view.ts'
import { ownResult } from '../src/lib/event/own-result.ts'

const markets = [
  { conditionId: 'a', result: 'Yes' },
  { conditionId: 'b', result: 'No' },
  { conditionId: 'c', result: null },
] as MarketView[]
const held = (conditionId: string, currentValue: number, redeemable = true) => ({ conditionId, currentValue, redeemable }) as Position
const paid = (conditionId: string, usdcSize: number) => ({ conditionId, usdcSize, type: 'REDEEM' }) as Activity

test.each<[what: string, positions: Position[], payouts: Activity[], result: ReturnType<typeof ownResult>]>([
  ['who had no shares there has none', [held('c', 4, false)], [paid('x', 3)], null],
  ['what was paid is won', [], [paid('a', 25), paid('b', 2.5)], { won: 27.5, unclaimed: 0 }],
  ['what is not claimed yet is won, too', [held('a', 10)], [paid('b', 5)], { won: 15, unclaimed: 10 }],
  ['shares that pay nothing are lost', [held('b', 0)], [], { won: 0, unclaimed: 0 }],
  ['a payout of nothing is lost', [], [paid('b', 0)], { won: 0, unclaimed: 0 }],
  ['what is still traded does not count', [held('c', 9, false), held('b', 0)], [], { won: 0, unclaimed: 0 }],
])('%s', (_, positions, payouts, result) => {
  expect(ownResult(markets, positions, payouts)).toEqual(result)
})
