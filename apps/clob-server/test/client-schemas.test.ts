import { conditionRequest } from '@augury/testing/condition-request'
import * as trading from '@polymarket/bindings/clob'
import { ListComboMarketsResponseSchema } from '@polymarket/bindings/combos'
import * as data from '@polymarket/bindings/data'
import * as gamma from '@polymarket/bindings/gamma'
import { Polymarket } from 'polymarket-data'
import { beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

// Answers below /compat, read by the schemas that published clients read them with: a field that is missing there throws in their programs.

const running = await runningServer()
const compat = `${running.url}/compat`
const { metadata } = conditionRequest('hail')
const event = { ...metadata.event, slug: 'storms', title: 'Storms', series_slug: 'storms-daily', tags: [{ slug: 'skies', name: 'Skies' }] }
const market = await registerMarket(running, 'hail', { metadata: { ...metadata, event } })
const alice = await Caller.with(compat, (await funded(running.url, wallets.alice, '1000')).key)
const bob = await Caller.with(compat, (await funded(running.url, wallets.bob, '1000')).key)
const [maker, taker] = [wallets.alice.address, wallets.bob.address]
/** The number of the event. */
let id = ''
let resting = ''

beforeAll(async () => {
  await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.4', '20'))
  await bob.call('POST', '/order', limit(market.no, 'BUY', '0.6', '15'))
  await bob.call('POST', '/order', limit(market.no, 'SELL', '0.6', '5'))
  resting = (await bob.call('POST', '/order', limit(market.no, 'SELL', '0.9', '5'))).body.orderID
  await bob.call('GET', '/data/trades') // history has it now
  id = (await send(compat, 'GET', '/gamma/events?slug=storms')).body[0].id
})

interface Schema {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { message: string } | undefined }
}

/** Reads an answer with a schema, and returns what its client makes of it. */
async function read(schema: Schema, answer: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await answer
  const { success, data, error } = schema.safeParse(body)
  expect([status, success ? null : `${error?.message} in ${JSON.stringify(body).slice(0, 1000)}`]).toEqual([200, null])
  return data
}

/** What a list has at least. */
const SOME = 1
const NONE = 0

test.each<[path: string, schema: Schema, rows: number]>([
  ['/positions?user={maker}', data.ListPositionsResponseSchema, SOME],
  ['/closed-positions?user={maker}', data.ListClosedPositionsResponseSchema, NONE],
  ['/value?user={maker}', data.FetchPortfolioValueResponseSchema, SOME],
  ['/trades?user={taker}', data.ListTradesResponseSchema, SOME],
  ['/trades?market={market}&takerOnly=false', data.ListTradesResponseSchema, SOME],
  ['/activity?user={taker}', data.ListActivityResponseSchema, SOME],
  ['/holders?market={market}', data.ListMarketHoldersResponseSchema, SOME],
  ['/oi?market={market}', data.ListOpenInterestResponseSchema, SOME],
  ['/oi', data.ListOpenInterestResponseSchema, SOME],
  ['/live-volume?id={id}', data.FetchEventLiveVolumeResponseSchema, SOME],
  ['/v1/leaderboard?timePeriod=ALL&orderBy=VOL', data.ListTraderLeaderboardResponseSchema, SOME],
  ['/v1/market-positions?market={market}', data.ListMarketPositionsResponseSchema, SOME],
  ['/v1/builders/leaderboard?timePeriod=DAY&limit=5&offset=0', data.ListBuilderLeaderboardResponseSchema, NONE],
  ['/v1/builders/volume?timePeriod=DAY', data.ListBuilderVolumeResponseSchema, NONE],
  ['/gamma/events?limit=5', gamma.ListEventsResponseSchema, SOME],
  ['/gamma/markets?limit=5&include_tag=true', gamma.ListMarketsResponseSchema, SOME],
  ['/gamma/tags', gamma.ListTagsResponseSchema, SOME],
  ['/gamma/events/{id}/tags', gamma.FetchEventTagsResponseSchema, SOME],
  ['/gamma/series', gamma.ListSeriesResponseSchema, SOME],
  ['/gamma/tags/slug/skies/related-tags', gamma.ListRelatedTagsResponseSchema, NONE],
  ['/gamma/tags/slug/skies/related-tags/tags', gamma.ListRelatedTagResourcesResponseSchema, NONE],
  ['/gamma/comments?parent_entity_type=Event&parent_entity_id={id}', gamma.ListCommentsResponseSchema, NONE],
  ['/gamma/comments/user_address/{maker}?limit=5', gamma.ListCommentsResponseSchema, NONE],
  ['/gamma/comments/17', gamma.ListCommentsResponseSchema, NONE],
  ['/gamma/teams', gamma.ListTeamsResponseSchema, NONE],
  ['/gamma/sports', gamma.ListSportsMetadataResponseSchema, NONE],
  ['/gamma/market-clarifications?market_id=1,2', gamma.ListMarketClarificationsResponseSchema, NONE],
])('%s is a list that @polymarket/client reads', async (path, schema, rows) => {
  const target = path.replace('{maker}', maker).replace('{taker}', taker).replace('{market}', market.condition).replace('{id}', id)
  const body = (await read(schema, send(compat, 'GET', target))) as unknown[]
  if (rows === SOME) expect(body.length).toBeGreaterThan(0)
  else expect(body).toEqual([])
})

test.each<[path: string, schema: Schema]>([
  ['/gamma/events/{id}', gamma.EventSchema],
  ['/gamma/events/slug/storms', gamma.EventSchema],
  ['/gamma/events/keyset?limit=5', gamma.ListEventsKeysetResponseSchema],
  ['/gamma/markets/keyset?limit=5', gamma.ListMarketsKeysetResponseSchema],
  ['/gamma/public-search?q=storms', gamma.PublicSearchResponseSchema],
  ['/gamma/public-profile?address={maker}', gamma.PublicProfileSchema],
  ['/gamma/sports/market-types', gamma.SportsMarketTypesResponseSchema],
  ['/traded?user={maker}', data.TradedSchema],
  ['/profiles/{maker}', gamma.ProfileSchema],
])('%s is an object that @polymarket/client reads', async (path, schema) => {
  await read(schema, send(compat, 'GET', path.replace('{maker}', maker).replace('{id}', id)))
})

test.each<[path: string, schema: Schema]>([
  ['/book?token_id={yes}', trading.FetchOrderBookResponseSchema],
  ['/midpoint?token_id={yes}', trading.MidpointSchema],
  ['/price?token_id={yes}&side=BUY', trading.PriceSchema],
  ['/spread?token_id={yes}', trading.SpreadSchema],
  ['/last-trade-price?token_id={yes}', trading.LastTradePriceSchema],
  ['/prices-history?market={yes}&interval=1d', trading.PriceHistorySchema],
  ['/tick-size?token_id={yes}', trading.FetchTickSizeResponseSchema],
  ['/neg-risk?token_id={yes}', trading.FetchNegRiskResponseSchema],
  ['/clob-markets/{market}', trading.FetchMarketInfoResponseSchema],
  ['/markets-by-token/{yes}', trading.ResolveConditionByTokenResponseSchema],
  ['/rewards/markets/current', trading.PaginatedCurrentRewardsSchema],
  ['/rewards/markets/{market}', trading.PaginatedMarketRewardsSchema],
  ['/builder/trades?builder_code=0x01', trading.PaginatedBuilderTradesSchema],
  ['/fees/builder-fees/0x01', trading.FetchBuilderFeeRatesResponseSchema],
])('%s is what @polymarket/client reads of a market', async (path, schema) => {
  await read(schema, send(compat, 'GET', path.replace('{yes}', market.yes).replace('{market}', market.condition)))
})

test.each<[path: string, schema: Schema]>([
  ['/books', trading.OrderBooksSchema],
  ['/midpoints', trading.MidpointsSchema],
  ['/prices', trading.PricesSchema],
  ['/spreads', trading.SpreadsSchema],
  ['/last-trades-prices', trading.LastTradePricesSchema],
])('POST %s is what @polymarket/client reads of many tokens', async (path, schema) => {
  const body = [market.yes, market.no].map((token_id) => ({ token_id, side: 'BUY' }))
  await read(schema, send(compat, 'POST', path, JSON.stringify(body)))
})

test.each<[target: string, schema: Schema]>([
  ['/data/orders', trading.OpenOrdersPageSchema],
  ['/data/order/{order}', trading.OpenOrderSchema],
  ['/data/trades', trading.ClobTradesPageSchema],
  ['/notifications', trading.NotificationsResponseSchema],
  ['/balance-allowance?asset_type=COLLATERAL&signature_type=0', trading.BalanceAllowanceResponseSchema],
  ['/balance-allowance?asset_type=CONDITIONAL&token_id={yes}', trading.BalanceAllowanceResponseSchema],
  ['/auth/api-keys', trading.ApiKeysResponseSchema],
  ['/auth/ban-status/closed-only', trading.ClosedOnlyModeSchema],
  ['/order-scoring?order_id={order}', trading.OrderScoringResponseSchema],
  ['/rewards/user?date=2026-01-01', trading.UserEarningsPageSchema],
  ['/rewards/user/total?date=2026-01-01', trading.TotalUserEarningsResponseSchema],
  ['/rewards/user/markets?date=2026-01-01', trading.UserRewardsEarningsPageSchema],
  ['/rewards/user/percentages', trading.RewardsPercentagesSchema],
])('%s is what @polymarket/client reads of its account', async (target, schema) => {
  const asked = target.replace('{yes}', market.yes).replace('{order}', resting)
  await read(schema, bob.call('GET', asked))
})

test('what became of orders is what @polymarket/client reads', async () => {
  const bid = (price: string) => limit(market.yes, 'BUY', price, '5')
  await read(trading.OrderResponseSchema, alice.call('POST', '/order', bid('0.2')))
  await read(trading.OrderResponsesSchema, alice.call('POST', '/orders', [bid('0.21'), bid('2')]))
  await read(trading.CancelOrdersResponseSchema, bob.call('DELETE', '/order', { orderID: resting }))
  await read(trading.CancelOrdersResponseSchema, alice.call('DELETE', '/cancel-all'))
})

test('combos are none, in the shape in which @polymarket/client reads them', async () => {
  const asked = (path: string) => send(compat, 'GET', path)
  expect(await read(data.ListComboPositionsResponseSchema, asked(`/v1/positions/combos?user=${maker}`))).toMatchObject({ combos: [] })
  expect(await read(data.ListComboActivityResponseSchema, asked(`/v1/activity/combos?user=${maker}`))).toMatchObject({ activity: [] })
  expect(await read(ListComboMarketsResponseSchema, asked('/v1/rfq/combo-markets'))).toMatchObject({ markets: [] })
})

/** Its paths replace the path of the address that it is given. */
const client = (mount: string) =>
  new Polymarket({
    fetch: (asked, init) => {
      const { pathname, search } = new URL(String(asked))
      return fetch(compat + mount + pathname + search, init)
    },
  })

test('all that polymarket-data reads is read by it', async () => {
  const { core, misc } = client('').data
  const { sports, search, comments, series, markets, events } = client('/gamma').gamma
  const of = { user: maker }
  const [inMarket, page, sortDirection] = [{ market: [market.condition] }, { limit: 100, offset: 0 }, 'DESC' as const]
  const all = { sizeThreshold: 1, redeemable: false, mergeable: false, sortBy: 'TOKENS' as const }
  expect((await core.getPositions({ ...of, ...page, ...all, sortDirection })).length).toBeGreaterThan(0)
  expect((await core.getTrades({ ...inMarket, ...page, takerOnly: true })).length).toBeGreaterThan(0)
  expect((await core.getActivity({ ...of, ...page, sortBy: 'TIMESTAMP', sortDirection })).length).toBeGreaterThan(0)
  expect((await core.getHolders({ ...inMarket, limit: 20, minBalance: 1 })).length).toBeGreaterThan(0)
  expect((await core.getValue(of)).length).toBe(1)
  expect((await misc.getTraded(of)).traded).toBe(1)
  expect((await misc.getOpenInterest({ market: [market.condition] })).length).toBe(1)
  expect((await misc.getLiveVolume({ id: Number(id) })).length).toBe(1)
  expect([await sports.listTeams(), await sports.getSportsMetadata()]).toEqual([[], []])
  expect((await search.publicSearch({ q: 'storms' })).events).toHaveLength(1)
  expect(await comments.listComments({ parent_entity_type: 'Event', parent_entity_id: Number(id) })).toEqual([])
  expect(await comments.getCommentById(1)).toEqual([])
  expect(await comments.getCommentsByUserAddress(maker)).toEqual([])
  const [daily] = await series.listSeries()
  expect(await series.getSeriesById(Number(daily!.id))).toHaveLength(1)
  expect((await markets.listMarkets()).length).toBeGreaterThan(0)
  expect(await events.getEventById(Number(id))).toMatchObject({ slug: 'storms' })
  expect(await events.getEventTags(Number(id))).toHaveLength(1)
  expect(await events.getEventBySlug('storms')).toMatchObject({ id })
})
