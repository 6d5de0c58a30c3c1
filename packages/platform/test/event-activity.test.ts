import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { newestTrades } from '../src/activity/event-activity.ts'

/** Trades of markets, each by the market's number in `owners`, oldest first; `read` counts what it is asked for. */
function tape(markets: number, owners: readonly number[]) {
  const trades = owners.map((owner, seq) => ({ market: String(owner % markets), seq: seq + 1 })).reverse()
  const asked = { rows: 0 }
  const read = async (market: string, most: number) => {
    asked.rows += most
    return trades.filter((trade) => trade.market === market).slice(0, most)
  }
  return { trades, asked, read, names: Array.from({ length: markets }, (_, n) => String(n)) }
}

test('the newest trades of markets are those of all their trades, wherever they lie', async () => {
  const count = fc.integer({ min: 1, max: 120 })
  const owners = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 400 }),
    fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1), { maxLength: 400 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), count, owners, async (markets, most, list) => {
      const { trades, read, names } = tape(markets, list)
      expect(await newestTrades(names, most, read)).toEqual(trades.slice(0, most))
    }),
  )
})

test('of many markets not much more is read than is shown', async () => {
  const even = Array.from({ length: 50_000 }, (_, n) => n)
  for (const owners of [even, even.map(() => 7), even.map((n) => (n > 49_000 ? 7 : n))]) {
    const { trades, asked, read, names } = tape(50, owners)
    expect(await newestTrades(names, 500, read)).toEqual(trades.slice(0, 500))
    expect(asked.rows).toBeLessThan(3000)
  }
})
