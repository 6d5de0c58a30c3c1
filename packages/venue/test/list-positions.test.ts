import { expect, test } from 'vitest'
import type { Context } from '../src/serve/operations/context.ts'
import { getValue, listClosedPositions, listPositions } from '../src/serve/operations/list-positions.ts'

const USER = `0x${'a1'.repeat(20)}` as const
const nothing = { goneLots: 0, goneCost: 0, heldCost: 50_000, realised: 0, fees: 0, redeemedLots: 0, redeemed: 0, changedAt: 0 }

/** Returns a service with an account that has, or had, positions in very many resolved markets, and a count of reads. */
function busy(lots: number) {
  let seen = 0
  const records = Array.from({ length: 1000 }, (_, n) => ({ account: USER, condition: `0x${n}`, outcome: 0, lots, ...nothing }))
  const about = { metadata: { question: '', icon: '', event: { slug: '' } }, questionSlug: '', outcomes: ['Yes', 'No'], endTime: '' }
  const ctx = {
    markets: { market: (condition: string) => ({ condition, tokens: [condition, `${condition}n`], ...about }) },
    wallets: { accountOf: (address: string) => address },
    exchange: {
      seq: 1,
      condition: () => {
        seen++
        return { mode: 'resolved', weight: 10_000, event: null }
      },
    },
    venue: { readModel: { waitFor: async () => {}, positions: async () => records, rewards: async () => new Map() } },
  } as unknown as Context
  return { ctx, seen: () => seen }
}

const query = { user: USER, title: '', sizeThreshold: 0, sortDirection: 'DESC', limit: 500, offset: 0 }
const lists: [string, number, (ctx: Context) => Promise<unknown[]>, number][] = [
  ['the open positions', 10, (ctx) => listPositions(ctx, null as never, { query: { ...query, sortBy: 'TOKENS' } } as never), 500],
  ['the closed positions', 0, (ctx) => listClosedPositions(ctx, null as never, { query: { ...query, sortBy: 'PRICE' } } as never), 500],
  ['what all of it is worth', 10, (ctx) => getValue(ctx, null as never, { query } as never), 1],
]

test.each(lists)('a list of %s yields to other work, however long it is', async (_, lots, list, length) => {
  const { ctx, seen } = busy(lots)
  const steps = [0]
  let isOver = false
  const look = () => {
    steps.push(seen())
    if (!isOver) setImmediate(look)
  }
  look()
  const rows = await list(ctx)
  isOver = true
  steps.push(seen())
  const most = Math.max(...steps.map((step, nth) => step - (steps[nth - 1] ?? 0)))
  expect([rows.length, most <= 200]).toEqual([length, true]) // a view of a position looks at its market twice
})
