import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { ServiceError } from '@augury/wire/service-error'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { MarketView } from '../src/lib/event/event-view.ts'
import { nullIfAway, readPanel, readQuotes, readStatus } from '../src/lib/server/exchange.ts'

const market = (token: string, open = true) =>
  ({ conditionId: `0x${token}`, tokens: [token, `${token}-no`], open, percent: 30, yesAsk: 3100, noAsk: 7200 }) as MarketView

const book = (asset_id: string, bid: string, ask: string) => ({
  asset_id,
  bids: [{ price: bid, size: '5' }],
  asks: [{ price: ask, size: '5' }],
  last_trade_price: '',
  tick_size: '0.01',
})

/** An exchange of which only the given calls exist; a page that asks for more fails. */
const exchange = (calls: Record<string, (input: never) => Promise<unknown>>) => calls as unknown as VenueClient
const silence = async () => {
  throw new NoAnswerError('no answer')
}

test('open markets are quoted as their books stand, others as the platform knows them', async () => {
  const asked: unknown[] = []
  const client = exchange({
    getBooks: async ({ body }: { body: unknown }) => {
      asked.push(body)
      return [book('a', '0.4', '0.42')]
    },
  })
  expect(await readQuotes(client, [market('a'), market('b', false)], 0)).toEqual([
    { percent: 41, yesAsk: 4200, noAsk: 6000 },
    { percent: 30, yesAsk: 3100, noAsk: 7200 },
  ])
  expect(asked).toEqual([[{ token_id: 'a' }]])
})

test('a market with fine ticks is quoted at what its book has, not at what is displayed', async () => {
  const client = exchange({
    getBooks: async () => [{ ...book('a', '0.532', '0.54'), tick_size: '0.0001' }],
    getPrices: async () => ({ a: { BUY: '0.5325', SELL: '0.54' } }),
  })
  expect(await readQuotes(client, [market('a')], 0)).toEqual([{ percent: 53.625, yesAsk: 5400, noAsk: 4675 }])
})

test('an event without open markets does not trouble the exchange', async () => {
  expect(await readQuotes(exchange({}), [market('a', false)], 0)).toHaveLength(1)
})

test.each([
  ['does not answer', silence],
  [
    'refuses',
    async () => {
      throw new RefusedError(503, { error: 'Starting.', code: 'service_unavailable' }, 1)
    },
  ],
])('when the exchange %s, a page goes out with what the platform knows, and says so', async (_, answer) => {
  const client = exchange({ getBooks: answer, getOrderbook: answer, listTrades: answer, getStatus: answer })
  expect(await readQuotes(client, [market('a')], 0)).toEqual([{ percent: 30, yesAsk: 3100, noAsk: 7200 }])
  expect(await readPanel(client, market('a'))).toEqual({ book: null, trades: null })
  expect(await readStatus(client)).toBeNull()
})

test('a bug is not taken for silence', async () => {
  const bug = async () => {
    throw new TypeError('undefined is not a function')
  }
  await expect(readStatus(exchange({ getStatus: bug }))).rejects.toThrow(TypeError)
})

test('pages of the same seconds ask for the same books once', async () => {
  let asked = 0
  const client = exchange({
    getBooks: async () => {
      asked++
      return []
    },
  })
  for (const now of [0, 0, 4_999, 5_000, 9_999, 10_000]) await readQuotes(client, [market('a')], now)
  expect(asked).toBe(3)
  await readQuotes(client, [market('b')], 10_000)
  expect(asked).toBe(4)
})

test('what a member has is not known while the exchange is away; what it refuses them is no silence', async () => {
  const failing = (error: Error) => nullIfAway(Promise.reject(error))
  expect(await nullIfAway(Promise.resolve(7))).toBe(7)
  for (const error of [
    new ServiceError('service_unavailable'),
    new ServiceError('standby'),
    new NoAnswerError('none'),
    new RefusedError(502, {}, 1),
  ])
    expect(await failing(error)).toBeNull()
  for (const error of [new ServiceError('trading_not_enabled'), new Error('a bug')]) await expect(failing(error)).rejects.toBe(error)
})

test('a page waits five seconds for what a member has, and goes on without it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let known: unknown = 'not yet'
  void nullIfAway(new Promise(() => {})).then((answer) => (known = answer))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(known).toBe('not yet')
  await vi.advanceTimersByTimeAsync(1)
  expect(known).toBeNull()
})
