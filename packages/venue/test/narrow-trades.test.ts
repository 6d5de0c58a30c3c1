import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connection } from '../src/base/postgres.ts'
import type { Page } from '../src/record/history/read-query.ts'
import type { TradeFilter, TradeRecord } from '../src/record/history/read-trades.ts'
import { readTrades, readTradesOf } from '../src/record/history/read-trades.ts'
import { address, id } from './commands.ts'
import { rain, STORY, told } from './story.ts'

let source: { pool: pg.Pool; stream: string }
let history: Awaited<ReturnType<typeof told>>['history']
beforeAll(async () => {
  const story = await told(STORY)
  history = story.history
  source = { pool: new pg.Pool(connection(story.url, 'test')), stream: 'main' }
})
afterAll(async () => {
  await Promise.all([history.close(), source.pool.end()])
})

/** Every page of a list, each as the ids of its trades. */
async function pages(list: (cursor: string | null) => Promise<Page<TradeRecord>>): Promise<string[][]> {
  const all: string[][] = []
  for (let cursor: string | null = null; ; ) {
    const { rows, next }: Page<TradeRecord> = await list(cursor)
    all.push(rows.map(({ id }) => id))
    if (next === null) return all
    cursor = next
  }
}
const largest: TradeFilter = { minCost: 6000 * 5500 }

test('a page of a narrowed list looks at so many trades and at no more, and the next one goes on below', async () => {
  const read = (lookedAt: number) => pages((cursor) => readTrades(source, largest, { limit: 100, cursor }, lookedAt))
  expect(await read(1)).toEqual([[], ['11-1'], []])
  expect(await read(3)).toEqual([['11-1'], []])
  expect(await read(100)).toEqual([['11-1']])
})

test.each<[string, TradeFilter]>([
  ['a value', largest],
  ['a lower value', { minCost: 500 * 5600 }],
  ['a token', { outcome: 1 }],
  ['a side', { side: 'BUY' }],
  ['a side of a token in some markets', { outcome: 0, side: 'BUY', conditions: [rain] }],
  ['a side in two markets', { side: 'BUY', conditions: [rain, id('snow')] }],
  ['two markets, one of them twice', { conditions: [id('snow'), rain, rain] }],
  ['nothing', {}],
])('by %s nothing is left out and nothing comes twice, of all trades and of one account', async (_, filter) => {
  for (const limit of [1, 2, 100]) {
    const all = (await history.trades(filter, { limit: 100, cursor: null })).rows.map(({ id }) => id)
    expect((await pages((cursor) => readTrades(source, filter, { limit, cursor }, 1))).flat()).toEqual(all)
    for (const name of ['ann', 'bob', 'cid', 'dee']) {
      const own = (await history.tradesOf(address(name), filter, { limit: 100, cursor: null })).rows.map(({ id }) => id)
      expect((await pages((cursor) => readTradesOf(source, address(name), filter, { limit, cursor }, 1))).flat()).toEqual(own)
    }
  }
})
