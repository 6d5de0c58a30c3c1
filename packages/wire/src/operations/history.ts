import { z } from 'zod'
import { venueOperation } from '../operation.ts'
import { candles, candlesQuery, priceHistories, priceHistoriesBody, priceHistory, priceHistoryQuery, tapeTrade } from '../price-history.ts'
import { anyId } from '../scalars.ts'

const read = { method: 'GET', auth: 'public', repeatable: true } as const
const tape = {
  ...read,
  params: z.object({ condition_id: anyId }),
  output: z.array(tapeTrade),
  refusals: ['unknown_market'],
} as const

export const historyOperations = {
  getPriceHistory: venueOperation({
    ...read,
    path: '/prices-history',
    summary:
      'Displayed prices of the token `market` at every multiple of `fidelity` minutes; without `endTs` the last point is the price now.',
    query: priceHistoryQuery,
    output: priceHistory,
    refusals: ['unknown_token'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getPriceHistories: venueOperation({
    ...read,
    method: 'POST',
    path: '/batch-prices-history',
    summary: 'Prices of up to 20 tokens; unknown ones are left out.',
    body: priceHistoriesBody,
    output: priceHistories,
    refusals: ['too_many_items'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listCandles: venueOperation({
    ...read,
    path: '/candles',
    summary:
      'Open, high, low, close and volume of the trades of the token `market` in each of the last `limit` intervals; those without trades are left out.',
    query: candlesQuery,
    output: candles,
    refusals: ['unknown_token'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listMarketTape: venueOperation({
    ...tape,
    path: '/markets/live-activity/{condition_id}',
    summary: 'The last 100 trades of a market.',
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listEventTape: venueOperation({
    ...tape,
    path: '/live-activity/events/{condition_id}',
    summary: 'The last 100 trades of a market, at the path of older clients.',
    cost: 'read-many',
    shed: 'ordinary',
  }),
}
