import { expect, test } from 'vitest'
import type { Context } from '../src/serve/operations/context.ts'
import { listSamplingSimplifiedMarkets } from '../src/serve/operations/list-markets.ts'

const PAST = 1000
const OPEN = 120

/** A service of many markets that are resolved and of some that are open, and how many of them were looked at. */
function longLived() {
  let seen = 0
  const markets = Array.from({ length: PAST + OPEN }, (_, n) => ({
    condition: `c${n}`,
    tokens: ['1', '2'],
    outcomes: ['Yes', 'No'],
    endTime: '2099-01-01T00:00:00Z',
    metadata: { event: {} },
  }))
  const ctx = {
    venue: { now: Date.now },
    markets: { count: markets.length, page: (at: number, limit: number) => markets.slice(at, at + limit) },
    exchange: {
      condition: (id: string) => {
        seen++
        return { mode: Number(id.slice(1)) < PAST ? 'resolved' : 'open', lastTrade: null }
      },
      depth: () => ({ bids: [], asks: [] }),
    },
  } as unknown as Context
  return { ctx, seen: () => seen }
}
const read = (ctx: Context, next_cursor?: string) =>
  listSamplingSimplifiedMarkets(ctx, { internal: false } as never, { query: { next_cursor } })

test('a list of the few open markets does not block others by looking at all that ever were', async () => {
  const { ctx, seen } = longLived()
  const steps = [0]
  let isOver = false
  const look = () => {
    steps.push(seen())
    if (!isOver) setImmediate(look)
  }
  look()
  const { count, next_cursor } = await read(ctx)
  isOver = true
  steps.push(seen())
  expect([count, Math.max(...steps.map((step, nth) => step - (steps[nth - 1] ?? 0))) <= 250]).toEqual([100, true])
  const rest = await read(ctx, next_cursor)
  expect([rest.data.map(({ condition_id }) => condition_id), rest.next_cursor]).toEqual([
    Array.from({ length: OPEN - 100 }, (_, n) => `c${PAST + 100 + n}`),
    'LTE=',
  ])
})
