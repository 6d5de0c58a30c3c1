import type { Viewer } from '@augury/platform/authorization/viewer'
import type { Site } from '@augury/platform/site/site'
import { expect, test, vi } from 'vitest'
import type { EventView } from '../src/lib/event/event-view.ts'
import { readOwn } from '../src/lib/server/own.ts'

vi.mock('@augury/platform/trading/open-orders', () => ({ listEventOpenOrders: async () => ({ data: [] }) }))

interface Query {
  market?: string
  limit: number
}

/** A member who holds a share of every one of 600 markets, as the exchange lists them: the largest first, a page at most. */
const HELD = Array.from({ length: 600 }, (_, n) => ({ conditionId: `market-${n}`, currentValue: 600 - n }))
const listPositions = async ({ query: { market, limit } }: { query: Query }) =>
  HELD.filter(({ conditionId }) => market === undefined || market.split(',').includes(conditionId)).slice(0, limit)
const site = { exchange: { anybody: { listPositions } } } as unknown as Site
const held = async (markets: number[]) => {
  const event = { slug: 'rain', markets: markets.map((n) => ({ conditionId: `market-${n}`, result: null })) } as EventView
  return (await readOwn(site, { kind: 'member', address: '0x1' } as unknown as Viewer, event))?.positions
}

test('a member who holds more than a page elsewhere sees what they hold in an event', async () => {
  expect(await held([599])).toHaveLength(1)
  expect(await held(Array.from({ length: 20 }, (_, n) => 580 + n))).toHaveLength(20)
})

test('so they do in an event with more markets than may be named at once, the largest first', async () => {
  const backwards = Array.from({ length: 90 }, (_, n) => 599 - n)
  expect(await held(backwards)).toEqual(HELD.slice(510))
})
