import { z } from 'zod'
import { LOOKUP_BATCH, TRADED_MARKETS } from '../limits.ts'
import { clobMarket, conditionVolume, market, simplifiedMarket, tokenMarket } from '../market.ts'
import { venueOperation } from '../operation.ts'
import { countedPage, page } from '../page.ts'
import { cursor, flag, marketIds, pageSize, secondsText, strictQuery } from '../query.ts'
import { address, amount, anyId, side, tokenText, uint256 } from '../scalars.ts'
import { publicTrade } from '../trade.ts'

const read = { method: 'GET', auth: 'public', repeatable: true } as const
/** A page of markets, narrowed by what their rows say. */
const paged = strictQuery({
  active: flag.optional(),
  closed: flag.optional(),
  archived: flag.optional(),
  accepting_orders: flag.optional(),
  next_cursor: cursor.optional(),
})
const conditionId = z.object({ condition_id: anyId })
const oneToken = strictQuery({ token_id: tokenText })

export const marketOperations = {
  listMarkets: venueOperation({
    ...read,
    path: '/markets',
    summary: 'All markets except those of hidden events, 100 a page.',
    query: paged,
    output: countedPage(market),
    refusals: [],
    cost: 'read-many',
    shed: 'ordinary',
    cacheSeconds: 60,
  }),
  getMarket: venueOperation({
    ...read,
    path: '/markets/{condition_id}',
    summary: 'One market.',
    params: conditionId,
    output: market,
    refusals: ['unknown_market'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listSimplifiedMarkets: venueOperation({
    ...read,
    path: '/simplified-markets',
    summary: 'All markets without their texts.',
    query: paged,
    output: countedPage(simplifiedMarket),
    refusals: [],
    cost: 'read-many',
    shed: 'ordinary',
    cacheSeconds: 60,
  }),
  listSamplingMarkets: venueOperation({
    ...read,
    path: '/sampling-markets',
    summary: 'Markets that accept orders.',
    query: paged,
    output: countedPage(market),
    refusals: [],
    cost: 'read-many',
    shed: 'ordinary',
    cacheSeconds: 60,
  }),
  listSamplingSimplifiedMarkets: venueOperation({
    ...read,
    path: '/sampling-simplified-markets',
    summary: 'Markets that accept orders, without their texts.',
    query: paged,
    output: countedPage(simplifiedMarket),
    refusals: [],
    cost: 'read-many',
    shed: 'ordinary',
    cacheSeconds: 60,
  }),
  getClobMarket: venueOperation({
    ...read,
    path: '/clob-markets/{condition_id}',
    summary: 'Trading parameters of a market in short keys.',
    params: conditionId,
    output: clobMarket,
    refusals: ['unknown_market'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getMarketByToken: venueOperation({
    ...read,
    path: '/markets-by-token/{token_id}',
    summary: 'The market of a token, and its two tokens.',
    params: z.object({ token_id: tokenText }),
    output: tokenMarket,
    refusals: ['unknown_token'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getTickSize: venueOperation({
    ...read,
    path: '/tick-size',
    summary: 'Smallest price step of a token.',
    query: oneToken,
    output: z.object({ minimum_tick_size: z.number() }),
    refusals: ['unknown_token'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getNegRisk: venueOperation({
    ...read,
    path: '/neg-risk',
    summary: 'Whether the market belongs to an event with a single winner.',
    query: oneToken,
    output: z.object({ neg_risk: z.boolean() }),
    refusals: ['unknown_token'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getFeeRate: venueOperation({
    ...read,
    path: '/fee-rate',
    summary: 'Fee that an order must sign (always 0), and the schedule that takers pay.',
    query: oneToken,
    output: z.object({
      base_fee: z.number(),
      fee_schedule: z.object({ rate: z.number(), exponent: z.number(), takerOnly: z.boolean(), rebateRate: z.number() }),
    }),
    refusals: ['unknown_token'],
    cost: 'look-up',
    shed: 'ordinary',
  }),
  listTrades: venueOperation({
    ...read,
    path: '/trades',
    summary: 'Trades, newest first. A page of a narrow filter may be short, or empty, and yet name a next one.',
    query: strictQuery({
      market: marketIds(TRADED_MARKETS).optional(),
      asset_id: uint256.optional(),
      user: address.optional(),
      side: z.string().toUpperCase().pipe(side).optional(),
      min_usdc: amount.optional(),
      min_shares: amount.optional(),
      before: secondsText.optional(),
      after: secondsText.optional(),
      limit: pageSize(),
      next_cursor: cursor.optional(),
    }),
    output: page(publicTrade),
    refusals: ['read_model_lagging'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getVolumes: venueOperation({
    method: 'POST',
    path: '/data/volumes',
    auth: 'public',
    summary: 'Volume, open interest and holders of up to 500 markets.',
    body: z.strictObject({
      include_24h: z.boolean().optional(),
      conditions: z.array(z.strictObject({ condition_id: anyId })).max(LOOKUP_BATCH),
    }),
    output: z.array(conditionVolume),
    refusals: ['too_many_items'],
    repeatable: true,
    cost: 'read-many',
    shed: 'ordinary',
  }),
}
