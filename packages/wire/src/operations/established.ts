import { z } from 'zod'
import { notification } from '../notification.ts'
import { venueOperation } from '../operation.ts'
import { countedPage } from '../page.ts'
import { cursor, several, signedQuery, strictQuery } from '../query.ts'
import { anyId, idAsSent, tokenText } from '../scalars.ts'
import { tier } from '../service-limits.ts'

/** Operations that established clients expect of any venue, and that are trivial at this one. */

const read = { method: 'GET', auth: 'read', refusals: [], repeatable: true, cost: 'look-up', shed: 'ordinary' } as const
const nothing = countedPage(z.never())
const paged = { next_cursor: cursor.optional() }
/** Clients send periods and pages, which select nothing of nothing. */
const none = { ...read, auth: 'public', output: z.array(z.never()) } as const
const lastPage = z.object({ limit: z.int(), offset: z.int(), has_more: z.literal(false), next_cursor: z.null() })
const day = { date: z.string().max(32).optional(), maker_address: anyId.optional(), sponsored: z.string().optional() }
const word = z.string().max(128).optional()
/** By which clients narrow the trades of a program. */
const builderTrades = { builder_code: word, id: word, maker_address: word, market: word, asset_id: word, before: word, after: word }
/** A feature of other venues, refused whether the request is signed or not. */
const unsupported = {
  ...read,
  auth: 'public',
  output: z.never(),
  refusals: ['unsupported'],
} as const

export const establishedOperations = {
  listNotifications: venueOperation({
    ...read,
    path: '/notifications',
    summary: 'Orders of yours that were filled or cancelled, by you or by the exchange, in the last 48 hours, newest first.',
    output: z.array(notification),
    refusals: ['read_model_lagging'],
    cost: 'read-many',
  }),
  dropNotifications: venueOperation({
    ...read,
    auth: 'trade',
    method: 'DELETE',
    path: '/notifications',
    summary: 'Drop the notifications in `ids`; without it, all of them.',
    query: signedQuery({ ids: several(500).optional() }),
    output: z.literal('OK'),
    cost: 'write',
  }),
  getRateLimitTier: venueOperation({
    ...read,
    path: '/v1/user/rate-limit-tier',
    summary: 'Your rate limit tier. `GET /limits` has its limits.',
    output: z.object({ tier }),
  }),
  listPreMigrationOrders: venueOperation({
    ...read,
    path: '/data/pre-migration-orders',
    summary: 'Migrations of the exchange. Always empty.',
    query: signedQuery(paged),
    output: nothing,
  }),
  getOrderScoring: venueOperation({
    ...read,
    path: '/order-scoring',
    summary: 'Whether an order earns rewards. Always false, because there are none.',
    query: signedQuery({ order_id: anyId }),
    output: z.object({ scoring: z.boolean() }),
  }),
  getOrdersScoring: venueOperation({
    ...read,
    method: 'POST',
    path: '/orders-scoring',
    summary: 'The same for many orders.',
    body: z.array(idAsSent).max(500),
    output: z.record(z.string(), z.boolean()),
    refusals: ['too_many_items'],
  }),
  listEarnings: venueOperation({
    ...read,
    path: '/rewards/user',
    summary: 'Rewards earned on a day. Always empty.',
    query: signedQuery({ ...day, ...paged }),
    output: nothing,
  }),
  listTotalEarnings: venueOperation({
    ...read,
    path: '/rewards/user/total',
    summary: 'Total rewards earned on a day. Always empty.',
    query: signedQuery(day),
    output: z.array(z.never()),
  }),
  listRewardedMarkets: venueOperation({
    ...read,
    path: '/rewards/user/markets',
    summary: 'Markets in which you earn rewards. Always empty.',
    query: signedQuery({
      ...day,
      ...paged,
      order_by: z.string().optional(),
      position: z.string().optional(),
      no_competition: z.string().optional(),
    }),
    output: nothing,
  }),
  getRewardPercentages: venueOperation({
    ...read,
    path: '/rewards/user/percentages',
    summary: 'Your share of the rewards by market. Always empty.',
    output: z.object({}),
  }),
  listCurrentRewards: venueOperation({
    ...read,
    auth: 'public',
    path: '/rewards/markets/current',
    summary: 'Markets with rewards. Always empty.',
    query: strictQuery(paged),
    output: nothing,
  }),
  listMarketRewards: venueOperation({
    ...read,
    auth: 'public',
    path: '/rewards/markets/{condition_id}',
    summary: 'Rewards of a market. Always empty.',
    params: z.object({ condition_id: anyId }),
    query: strictQuery(paged),
    output: nothing,
  }),
  getBuilderFees: venueOperation({
    ...read,
    auth: 'public',
    path: '/fees/builder-fees/{code}',
    summary: 'Fees added by a builder code. Always none.',
    params: z.object({ code: tokenText }),
    output: z.object({ builder_maker_fee_rate_bps: z.literal(0), builder_taker_fee_rate_bps: z.literal(0) }),
  }),
  listBuilders: venueOperation({
    ...none,
    path: '/v1/builders/leaderboard',
    summary: 'Builders by volume. Always empty.',
  }),
  listBuilderVolume: venueOperation({
    ...none,
    path: '/v1/builders/volume',
    summary: 'Builder volume by day. Always empty.',
  }),
  listComboPositions: venueOperation({
    ...none,
    path: '/v1/positions/combos',
    summary: 'Positions in combined markets. Always empty.',
    output: z.object({ combos: z.array(z.never()), pagination: lastPage }),
  }),
  listComboActivity: venueOperation({
    ...none,
    path: '/v1/activity/combos',
    summary: 'Activity in combined markets. Always empty.',
    output: z.object({ activity: z.array(z.never()), pagination: lastPage }),
  }),
  listComboMarkets: venueOperation({
    ...none,
    path: '/v1/rfq/combo-markets',
    summary: 'Combined markets. Always empty.',
    output: z.object({ markets: z.array(z.never()), next_cursor: z.null() }),
  }),
  createBuilderKey: venueOperation({
    ...unsupported,
    method: 'POST',
    path: '/auth/builder-api-key',
    summary: 'There are no builder keys.',
  }),
  listBuilderKeys: venueOperation({
    ...unsupported,
    method: 'GET',
    path: '/auth/builder-api-key',
    summary: 'There are no builder keys.',
  }),
  deleteBuilderKey: venueOperation({
    ...unsupported,
    method: 'DELETE',
    path: '/auth/builder-api-key',
    summary: 'There are no builder keys.',
  }),
  listBuilderTrades: venueOperation({
    ...none,
    path: '/builder/trades',
    summary: 'Trades by builder. Always empty.',
    query: strictQuery({ ...paged, ...builderTrades }),
    output: nothing,
  }),
  createRfqRequest: venueOperation({
    ...unsupported,
    method: 'POST',
    path: '/rfq/request',
    summary: 'Requests for quotes are not supported.',
  }),
  cancelRfqRequest: venueOperation({
    ...unsupported,
    method: 'DELETE',
    path: '/rfq/request',
    summary: 'Requests for quotes are not supported.',
  }),
  createRfqQuote: venueOperation({
    ...unsupported,
    method: 'POST',
    path: '/rfq/quote',
    summary: 'Requests for quotes are not supported.',
  }),
  cancelRfqQuote: venueOperation({
    ...unsupported,
    method: 'DELETE',
    path: '/rfq/quote',
    summary: 'Requests for quotes are not supported.',
  }),
  listRfqRequests: venueOperation({
    ...unsupported,
    method: 'GET',
    path: '/rfq/data/requests',
    summary: 'Requests for quotes are not supported.',
  }),
  listRfqRequesterQuotes: venueOperation({
    ...unsupported,
    method: 'GET',
    path: '/rfq/data/requester/quotes',
    summary: 'Requests for quotes are not supported.',
  }),
  listRfqQuoterQuotes: venueOperation({
    ...unsupported,
    method: 'GET',
    path: '/rfq/data/quoter/quotes',
    summary: 'Requests for quotes are not supported.',
  }),
  getRfqBestQuote: venueOperation({
    ...unsupported,
    method: 'GET',
    path: '/rfq/data/best-quote',
    summary: 'Requests for quotes are not supported.',
  }),
  getRfqConfig: venueOperation({
    ...unsupported,
    method: 'GET',
    path: '/rfq/config',
    summary: 'Requests for quotes are not supported.',
  }),
  acceptRfqQuote: venueOperation({
    ...unsupported,
    method: 'POST',
    path: '/rfq/request/accept',
    summary: 'Requests for quotes are not supported.',
  }),
  approveRfqOrder: venueOperation({
    ...unsupported,
    method: 'POST',
    path: '/rfq/quote/approve',
    summary: 'Requests for quotes are not supported.',
  }),
}
