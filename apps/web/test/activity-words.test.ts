import type { Activity } from '@augury/wire/data'
import { expect, test } from 'vitest'
import { cashChange } from '../src/lib/portfolio/activity-words.ts'

test.each<[Activity['type'], Activity['side'], number, number, number]>([
  ['TRADE', 'BUY', 10, 0.18, -10.18],
  ['TRADE', 'SELL', 10, 0.18, 9.82],
  ['TRADE', 'BUY', 0.3, 0.000001, -0.300001],
  ['SPLIT', '', 5, 0, -5],
  ['MERGE', '', 5, 0, 5],
  ['REDEEM', '', 20, 0, 20],
  ['WITHDRAWAL', '', 1.234567, 0, -1.234567],
  ['MAKER_REBATE', '', 0.2, 0, 0.2],
  ['REFERRAL_REWARD', '', 0.000001, 0, 0.000001],
  ['FEE', '', 1.5, 0, 1.5],
])('%s %s of %d with a fee of %d changes cash by %d', (type, side, usdcSize, fee, change) => {
  expect(cashChange({ type, side, usdcSize, fee } as Activity)).toBe(change)
})
