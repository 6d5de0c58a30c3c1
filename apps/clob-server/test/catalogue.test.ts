import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

/** A market of an event with other texts. */
const inEvent = (slug: string, event: object, changes: object = {}) => {
  const { metadata } = conditionRequest(slug)
  return { metadata: { ...metadata, event: { ...metadata.event, ...event } }, ...changes }
}

const running = await runningServer()
const weather = { slug: 'weather', title: 'Weather of the week', rules: 'By the station.', tags: [{ slug: 'skies', name: 'Skies' }] }
const rain = await registerMarket(running, 'rain', inEvent('rain', weather, { end_time: '2098-01-01T00:00:00Z', fee_rate_bps: 100 }))
await registerMarket(running, 'snow', inEvent('snow', weather))
const sun = await registerMarket(running, 'sun', inEvent('sun', { slug: 'sunny', title: 'Sun', series_slug: 'sun-hourly' }))
const [alice, bob] = await Promise.all([Caller.of(running.url, wallets.alice), Caller.of(running.url, wallets.bob)])
for (const { address } of [wallets.alice, wallets.bob]) await fund(running.url, address, '1000')
const order = { orderType: 'GTC', size: '10' }
await alice.call('POST', '/order', { ...order, tokenId: rain.yes, side: 'BUY', price: '0.4', size: '30' })
await bob.call('POST', '/order', { ...order, tokenId: rain.no, side: 'BUY', price: '0.6' })
await bob.call('POST', '/order', { ...order, tokenId: rain.yes, side: 'BUY', price: '0.1' })
await alice.call('POST', '/order', { ...order, tokenId: rain.no, side: 'BUY', price: '0.45' })
await alice.call('GET', '/data/trades') // history has it now

const ask = (target: string) => send(running.url, 'GET', `/gamma${target}`)
const get = async (target: string) => (await ask(target)).body
const slugs = async (target: string) => (await get(target)).map(({ slug }: { slug: string }) => slug)

test('a market is found by its slug with what it takes to trade there, lists as texts', async () => {
  const [found, ...more] = await get('/markets?slug=rain&include_tag=true')
  expect(more).toEqual([])
  expect(found).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    question: 'Will there be rain?',
    slug: 'rain',
    conditionId: rain.condition,
    groupItemTitle: 'rain',
    marketMakerAddress: '',
    description: 'It resolves by the rules.',
    outcomes: '["Yes","No"]',
    outcomePrices: '["0.4","0.6"]',
    clobTokenIds: JSON.stringify([rain.yes, rain.no]),
    ...{ active: true, closed: false, archived: false, acceptingOrders: true, enableOrderBook: true },
    ...{ bestBid: 0.4, bestAsk: 0.55, spread: 0.15, lastTradePrice: 0.4 },
    ...{ volume: '6', volumeNum: 6, volume24hr: 6 },
    // 20 at 0.40 and 10 at 0.10 for Yes, 10 at 0.45 for No
    ...{ liquidity: '13.5', liquidityNum: 13.5 },
    ...{ orderPriceMinTickSize: 0.01, orderMinSize: 5, negRisk: false, umaResolutionStatus: '', umaResolutionStatuses: '[]' },
    ...{ endDate: '2098-01-01T00:00:00.000Z', endDateIso: '2098-01-01', feesEnabled: true },
    feeSchedule: { rate: 0.01, exponent: 1, takerOnly: true, rebateRate: 0 },
    events: [
      { slug: 'weather', title: 'Weather of the week', description: 'By the station.', volume: 6, liquidity: 13.5, openInterest: 10 },
    ],
    tags: [{ label: 'Skies', slug: 'skies' }],
  })
  expect(await get(`/markets/${found.id}?include_tag=True`)).toEqual(found)
  expect(await get('/markets/slug/rain?include_tag=true')).toEqual(found)
  const { tags, ...without } = found
  expect(await get(`/markets/${found.id}`)).toEqual(without)
  expect(await get(`/markets/${found.id}/tags`)).toEqual(tags)
})

test('an event is found by slug and number, with its markets', async () => {
  const [found] = await get('/events?slug=weather')
  expect(found).toMatchObject({
    slug: 'weather',
    ticker: 'weather',
    closed: false,
    negRisk: false,
    series: [],
    seriesSlug: '',
    volume24hr: 6,
  })
  expect(found.markets.map(({ slug }: { slug: string }) => slug)).toEqual(['rain', 'snow'])
  expect(found.endDate).toBe('2099-01-01T00:00:00.000Z') // of its last market
  expect(await get(`/events/${found.id}`)).toEqual(found)
  expect(await get('/events/slug/weather')).toEqual(found)
  expect(await get(`/events/${found.id}/tags`)).toEqual(found.tags)
  const [hourly] = await get('/events?series_slug=sun-hourly')
  expect(hourly).toMatchObject({ slug: 'sunny', seriesSlug: 'sun-hourly', series: [{ slug: 'sun-hourly', closed: false }] })
  expect(await slugs(`/events?series_id=${hourly.series[0].id}`)).toEqual(['sunny'])
})

test.each([
  ['condition', () => `condition_ids=${sun.condition.toUpperCase().replace('0X', '0x')}`, ['sun']],
  ['tokens, repeated and with commas', () => `clob_token_ids=${sun.no}&clob_token_ids=${rain.yes},${rain.no}`, ['rain', 'sun']],
  ['slugs', () => 'slug=snow&slug=nothing', ['snow']],
  ['the tag of the event', () => 'tag_slug=skies', ['rain', 'snow']],
  ['no such tag', () => 'tag_slug=seas', []],
  ['the end', () => 'end_date_max=2098-06-01', ['rain']],
  ['the end from a moment without a zone on', () => 'end_date_min=2098-06-01T00:00:00', ['snow', 'sun']],
  ['volume', () => 'volume_num_min=6', ['rain']],
  ['less volume', () => 'volume_num_max=5.99', ['snow', 'sun']],
  ['liquidity', () => 'liquidity_num_min=13.6', []],
  ['state, as one language writes it', () => 'active=True&closed=False&archived=False', ['rain', 'snow', 'sun']],
  ['what nothing here is', () => 'archived=true', []],
  ['its order', () => 'order=endDate,id&ascending=false', ['sun', 'snow', 'rain']],
  ['its order as older clients write it', () => 'order=volume_num&ascending=false&limit=1', ['rain']],
  ['a page', () => 'limit=1&offset=1', ['snow']],
])('markets are listed by %s', async (_, query, expected) => {
  expect(await slugs(`/markets?${query()}`)).toEqual(expected)
})

test.each([
  ['its tag', 'tag_slug=news', ['sunny']],
  ['words of its title', 'title_search=OF+THE', ['weather']],
  ['volume', 'volume_min=1', ['weather']],
  ['liquidity', 'liquidity_max=1', ['sunny']],
  ['its order', 'order=volume24hr&ascending=false', ['weather', 'sunny']],
  ['what nothing here is', 'featured=true', []],
])('events are listed by %s', async (_, query, expected) => {
  expect(await slugs(`/events?${query}`)).toEqual(expected)
})

test('a tag has one number, by which its events are found and left out', async () => {
  const [{ id }] = (await get('/events/slug/weather')).tags
  expect(await slugs(`/events?tag_id=${id}`)).toEqual(['weather'])
  expect(await slugs(`/markets?exclude_tag_id=${id}`)).toEqual(['sun'])
})

test('tags and series are listed once each, and found by number and slug', async () => {
  const tags = await get('/tags')
  expect(tags.map(({ slug, label }: Record<string, string>) => [slug, label])).toEqual([
    ['news', 'News'],
    ['skies', 'Skies'],
  ])
  expect([await get('/tags?slug=skies'), await get('/tags?limit=1&offset=1')]).toEqual([[tags[1]], [tags[1]]])
  expect([await get(`/tags/${tags[1].id}`), await get('/tags/slug/skies')]).toEqual([tags[1], tags[1]])
  const [series, ...more] = await get('/series?closed=false')
  expect([series.slug, more, await get('/series?closed=true')]).toEqual(['sun-hourly', [], []])
  expect(await get(`/series/${series.id}`)).toEqual(series)
  const lists = [`tags/${tags[1].id}/related-tags`, 'tags/slug/skies/related-tags/tags', 'comments?parent_entity_id=1', 'teams', 'sports']
  for (const none of lists) expect([none, await get(`/${none}`)]).toEqual([none, []])
  expect((await ask('/series/7')).status).toBe(404)
  expect((await ask('/tags/slug/seas')).status).toBe(404)
})

test('a search finds events by the words of titles, questions and tags, the most traded first', async () => {
  const found = async (query: string) => {
    const { events, tags, pagination } = await get(`/public-search?${query}`)
    return [events.map(({ slug }: { slug: string }) => slug), tags.map(({ slug }: { slug: string }) => slug), pagination]
  }
  expect(await found('q=there%20WILL')).toEqual([['weather', 'sunny'], [], { hasMore: false, totalResults: 2 }])
  expect(await found('q=will&limit_per_type=1&page=2')).toEqual([['sunny'], [], { hasMore: false, totalResults: 2 }])
  expect(await found('q=will&limit_per_type=1&sort=end_date&ascending=true')).toEqual([['weather'], [], { hasMore: true, totalResults: 2 }])
  expect(await found('q=skies&events_status=active')).toEqual([['weather'], ['skies'], { hasMore: false, totalResults: 1 }])
  expect(await found('q=will&events_tag=news')).toEqual([['sunny'], [], { hasMore: false, totalResults: 1 }])
  expect(await found('q=will&events_status=closed')).toEqual([[], [], { hasMore: false, totalResults: 0 }])
  expect((await get('/public-search?q=skies')).tags).toMatchObject([{ label: 'Skies', event_count: 1 }])
  expect((await ask('/public-search')).status).toBe(400)
  expect((await ask('/public-search?q=a&page=201')).status).toBe(400) // the first page again would lead in circles
})

test('pages that follow each other miss nothing when a market comes between, and end without a cursor', async () => {
  const first = await get('/markets/keyset?limit=2&order=startDate&ascending=false')
  await registerMarket(running, 'fog', inEvent('fog', { start_date: '2001-01-01T00:00:00Z' }))
  const next = await get(`/markets/keyset?limit=2&order=startDate&ascending=false&after_cursor=${first.next_cursor}`)
  const all = [...first.markets, ...next.markets].map(({ slug }) => slug)
  expect([all, Object.keys(next)]).toEqual([['sun', 'snow', 'rain', 'fog'], ['markets']])
  await registerMarket(running, 'haze', inEvent('haze', { start_date: '1901-01-01T00:00:00Z' }))
  const old = await get('/markets/keyset?limit=1&order=startDate&ascending=true')
  const newer = await get(`/markets/keyset?limit=1&order=startDate&ascending=true&after_cursor=${old.next_cursor}`)
  expect([...old.markets, ...newer.markets].map(({ slug }) => slug)).toEqual(['haze', 'fog'])
  const events = await get('/events/keyset?closed=false&limit=4')
  expect(events.events.map(({ slug }: { slug: string }) => slug)).toEqual(['weather', 'sunny', 'fog-event', 'haze-event'])
  expect(events.next_cursor).toBe(undefined)
  expect((await ask(`/events/keyset?after_cursor=${first.next_cursor}`)).status).toBe(400)
})

test('a market that ended is closed, and is found by name whatever its state', async () => {
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  await registerMarket(running, 'hail', inEvent('hail', { slug: 'hailing' }))
  const [{ conditionId, endDate }] = await get('/markets?slug=hail')
  expect(endDate).toBe('2099-01-01T00:00:00.000Z')
  expect((await operator.call('POST', `/operator/conditions/${conditionId}/resolve`, { weights: [10_000, 0] })).status).toBe(200)
  expect(await get('/markets/slug/hail')).toMatchObject({
    ...{ active: true, closed: true, acceptingOrders: false, outcomePrices: '["1","0"]' },
    ...{ umaResolutionStatus: 'resolved', umaResolutionStatuses: '["resolved"]' },
    events: [{ closed: true }],
  })
  expect(await slugs('/events?closed=true')).toEqual(['hailing'])
  expect(await slugs('/markets?closed=false&slug=hail')).toEqual([])
})

test.each([
  ['no event of this number', '/events/999', 404, 'unknown_event', { type: 'not found error', error: 'id not found' }],
  ['no event of this slug', '/events/slug/nothing', 404, 'unknown_event', { type: 'not found error', error: 'slug not found' }],
  ['no market of this number', '/markets/x', 404, 'unknown_market', { type: 'not found error', error: 'id not found' }],
  [
    'no order of this name',
    '/markets?order=beauty',
    422,
    'invalid_payload',
    { type: 'validation error', error: 'order fields are not valid' },
  ],
  ['no date', '/events?end_date_min=soon', 422, 'invalid_payload', { type: 'validation error', error: 'end_date_min is invalid' }],
  ['no page so deep', '/events?offset=10001', 422, 'invalid_payload', { type: 'validation error', error: 'offset is invalid' }],
])('%s: refused as those clients expect below /compat, and as ours do elsewhere', async (_, target, status, code, told) => {
  const theirs = await send(`${running.url}/compat`, 'GET', `/gamma${target}`)
  expect([theirs.status, theirs.body]).toEqual([status, { ...told, code }])
  const ours = await ask(target)
  expect([ours.status, ours.body.code]).toEqual([status === 422 ? 400 : status, code])
})

test('what is listed below /compat is the same, with numbers where there is no price, and shared caches keep it for seconds', async () => {
  const theirs = await send(`${running.url}/compat`, 'GET', '/gamma/events?limit=1')
  const [ours] = await get('/events?limit=1')
  expect(ours.markets.map((each: { outcomePrices: string | null }) => each.outcomePrices)).toContain(null)
  const numbers = ours.markets.map((each: { outcomePrices: string | null }) => ({
    ...each,
    outcomePrices: each.outcomePrices ?? '["0","0"]',
  }))
  expect(theirs.body).toEqual([{ ...ours, markets: numbers }])
  for (const { headers } of [theirs, await ask('/events')]) {
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=15, stale-while-revalidate=15')
    expect(headers.get('ratelimit-policy')).toBe('"catalogue";q=300;w=60')
  }
})
