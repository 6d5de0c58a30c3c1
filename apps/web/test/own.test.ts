import type { Viewer } from '@augury/platform/identity/viewer'
import type { Site } from '@augury/platform/site'
import { expect, test, vi } from 'vitest'
import type { EventView } from '../src/lib/event/event-view.ts'
import { readOwn } from '../src/lib/server/own.ts'

vi.mock('@augury/platform/trading/open-orders', () => ({ listEventOpenOrders: async () => ({ data: [] }) }))

interface Query {
  market?: string
  limit: number
}

/** A member who holds a share of every one of 600 markets, as the exchange lists them: the largest first, a page at most. */
const HELD = Array.from({ length: 600 }, (_, n) => ({ conditionId: `market-${n}` }))
const listPositions = async ({ query: { market, limit } }: { query: Query }) =>
  HELD.filter(({ conditionId }) => market === undefined || market.split(',').includes(conditionId)).slice(0, limit)
const site = { exchange: { anybody: { listPositions } } } as unknown as Site
const held = async (markets: number[]) => {
  const event = { slug: 'rain', markets: markets.map((n) => ({ conditionId: `market-${n}` })) } as EventView
  return (await readOwn(site, { kind: 'member', address: '0x1' } as unknown as Viewer, event))?.positions.length
}

test('a member who holds more than a page elsewhere sees what they hold in an event', async () => {
  expect(await held([599])).toBe(1)
  expect(await held(Array.from({ length: 20 }, (_, n) => 580 + n))).toBe(20)
})

test('an event with more markets than may be named is looked for among all positions', async () => {
  expect(await held(Array.from({ length: 21 }, (_, n) => n))).toBe(21)
})
