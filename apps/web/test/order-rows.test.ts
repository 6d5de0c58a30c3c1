import type { ActivityItem } from '@augury/wire/platform/activity'
import { expect, test } from 'vitest'
import { orderRows } from '../src/lib/event/order-rows.ts'

const trade = (id: string, shares: number, price: number): ActivityItem => ({
  id,
  type: 'trade',
  user: { username: null, address: '0xAb', image: '' } as never,
  side: 'buy',
  amount: String(shares * 1_000_000),
  price: String(price),
  outcome: { index: 0, text: 'Yes' },
  market: { condition_id: '0x1', title: '', slug: '', icon_url: '', picture: '', event: { slug: '' } },
  total_value: String(Math.round(shares * price * 1_000_000)),
  created_at: '2026-05-01T12:00:00.000Z',
  status: 'completed',
  tx_hash: `0x${id}`,
})
const trades = [trade('9-2', 10, 0.5), trade('9-1', 30, 0.4), trade('8-1', 5, 0.4), trade('7-4', 1, 0.4)]
const brief = (count: number, isWhole: boolean) =>
  orderRows(trades, count, isWhole).map(({ id, amount, total }) => `${id}: ${amount / 1e6} for ${total / 1e6}`)

test('an order that took several prices is one row with all of them', () => {
  expect(brief(20, true)).toEqual(['9-2: 40 for 17', '8-1: 5 for 2', '7-4: 1 for 0.4'])
})

test('an order of which the list may hold only a part is left out, unless it is the only one', () => {
  expect(brief(20, false)).toEqual(['9-2: 40 for 17', '8-1: 5 for 2'])
  expect(brief(1, false)).toEqual(['9-2: 40 for 17'])
  expect(orderRows(trades.slice(0, 2), 20, false)).toHaveLength(1)
})
