import { expect, test } from 'vitest'
import type { Context } from '../src/serve/operations/context.ts'
import { getOpenInterest } from '../src/serve/operations/get-totals.ts'
import { listLeaders } from '../src/serve/operations/list-leaders.ts'

const OWNER = `0x${'a1'.repeat(20)}`
const WALLET = `0x${'5a'.repeat(20)}`

/**
 * A service of a market, or of some, whose work is counted: walks over its markets, prices, boards, and counts of what backs them.
 */
function counted(markets = 1) {
  const work = { walks: 0, prices: 0, boards: 0, counts: 0 }
  let now = 1_000_000
  const market = { condition: '0xaa', metadata: { event: { tags: [{ slug: 'News', name: 'News' }] } }, negRiskMarketId: null }
  const condition = { mode: 'resolved', weight: 10_000, bestBid: null, bestAsk: null }
  const later = (ms: number) => {
    now += ms
  }
  const ctx = {
    markets: {
      count: markets,
      page: () => {
        work.walks++
        return Array(markets).fill(market)
      },
    },
    exchange: {
      condition: () => {
        work.prices++
        return condition
      },
    },
    wallets: { accountOf: (address: string) => (address === WALLET ? OWNER : address) },
    venue: {
      now: () => now,
      readModel: {
        standings: async () => {
          work.boards++
          return [{ account: OWNER, volume: 3_000_000, profit: 1_000_000 }]
        },
        openInterest: async () => {
          work.counts++
          return 5_000_000
        },
      },
    },
  } as unknown as Context
  return { ctx, work, later }
}
const query = (category: string) => ({ query: { category, timePeriod: 'DAY', orderBy: 'PNL' as const, limit: 25, offset: 0 } })
const anonymous = null as never

test('requests for a board, or for an unknown category, walk over all markets at most once a minute', async () => {
  const { ctx, work, later } = counted()
  for (const category of ['OVERALL', 'news', 'NEWS', 'overall']) await listLeaders(ctx, anonymous, query(category))
  const { walks } = work
  expect(work.boards).toBe(2)
  for (let n = 0; n < 50; n++) {
    await listLeaders(ctx, anonymous, query(`nothing-${n}`))
    await listLeaders(ctx, anonymous, query('News'))
  }
  expect(work).toMatchObject({ walks, boards: 2 })
  later(60_000)
  await listLeaders(ctx, anonymous, query('News'))
  expect(work.boards).toBe(3)
})

test('a board over many markets is made in turns', async () => {
  const { ctx, work } = counted(1000)
  const seen: number[] = []
  const look = () => {
    seen.push(work.prices)
    if (work.boards === 0) setImmediate(look)
  }
  look()
  await listLeaders(ctx, anonymous, query('overall'))
  const steps = [...seen, work.prices].map((prices, nth) => prices - (seen[nth - 1] ?? 0))
  expect([work.prices, Math.max(...steps) <= 250]).toEqual([1000, true])
})

test('a wallet stands on the board where its owner does', async () => {
  const { ctx } = counted()
  const placeOf = async (user: string) =>
    (await listLeaders(ctx, anonymous, { query: { ...query('news').query, user } } as never)).map(({ rank }) => rank)
  expect([await placeOf(OWNER), await placeOf(WALLET), await placeOf(`0x${'b2'.repeat(20)}`)]).toEqual([['1'], ['1'], []])
})

test('what backs all markets is counted once for all who ask at the same time', async () => {
  const { ctx, work } = counted()
  const answers = await Promise.all(Array.from({ length: 20 }, () => getOpenInterest(ctx, anonymous, { query: {} })))
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['[{"market":"GLOBAL","value":5}]']))
  expect(work.counts).toBe(1)
  await getOpenInterest(ctx, anonymous, { query: {} })
  expect(work.counts).toBe(2)
})
