import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@augury/testing/eventually'
import { type Message, RealTimeDataClient } from '@polymarket/real-time-data-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { condition, type Exchange, startExchange } from './exchange.ts'

// The site of the exchange is another program. Here its public routes answer what this test says.

const author = { username: 'anna', address: '0x00000000000000000000000000000000000000A1', image: '' }
const comment = (id: string, event: string, content: string) => ({
  ...{ id, parent: null, content, user: author, likes_count: 2, created_at: '2026-11-28T09:00:00.000Z', event, reply_to: null },
})
const comments = [comment('01900000-0000-7000-8000-000000000001', 'rain-event', 'It looks like rain.')]
let price = 97_000.5
const window = {
  ...{ series_slug: 'btc-updown-5m', instrument: 'BTC/USD', interval: '5m', source: 'oracle_a', interval_ms: 300_000 },
  ...{ active_window_minutes: 5, event_window_start_ms: 0, event_window_end_ms: 300_000, opening_price: null, closing_price: null },
  ...{ latest_window_end_ms: 0, latest_source_timestamp_ms: 1_767_225_600_000, is_event_closed: false },
}
const site = createServer(({ url = '' }, reply) => {
  const { pathname, searchParams } = new URL(url, 'http://site')
  const slug = searchParams.get('event')
  const told = comments.filter(({ event }) => slug === null || event === slug)
  reply.setHeader('content-type', 'application/json')
  reply.end(JSON.stringify(pathname === '/api/latest-comments' ? told.toReversed() : { ...window, latest_price: price }))
})

let exchange: Exchange
beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  exchange = await startExchange({ environment: { SITE_URL: address } })
  const { metadata, ...rest } = condition('rain')
  const event = { ...metadata.event, series_slug: 'btc-updown-5m', tags: [{ slug: 'crypto', name: 'Crypto' }] }
  await exchange.operator.registerCondition({ body: { ...rest, metadata: { ...metadata, event } } })
})
afterAll(async () => {
  await exchange?.close()
  site.close()
})

test('the unmodified live-data client hears prices of series and new comments, by its own filters', async () => {
  const [found] = (await (await fetch(`${exchange.url}/compat/gamma/events?slug=rain-event`)).json()) as [{ id: string }]
  const heard: Message[] = []
  const topics = ['crypto_prices', 'crypto_prices_chainlink'].map((topic) => ({
    ...{ topic, type: 'update', filters: topic === 'crypto_prices' ? '{"symbol":"btcusdt"}' : '{"symbol":"btc/usd"}' },
  }))
  const onEvent = { topic: 'comments', type: '*', filters: JSON.stringify({ parentEntityID: Number(found.id), parentEntityType: 'Event' }) }
  const onAnother = { topic: 'crypto_prices', type: 'update', filters: '{"symbol":"ethusdt"}' }
  const client = new RealTimeDataClient({
    host: `${exchange.url.replace('http', 'ws')}/compat/live`,
    onConnect: (live) => live.subscribe({ subscriptions: [...topics, onEvent, onAnother] }),
    onMessage: (_, message) => heard.push(message),
  }).connect()
  const about = (topic: string) => heard.filter((message) => message.topic === topic).map(({ type, payload }) => [type, payload])
  const at = 1_767_225_600_000
  await eventually(() => expect(about('crypto_prices')).toEqual([['update', { symbol: 'btcusdt', timestamp: at, value: 97_000.5 }]]))
  expect(about('crypto_prices_chainlink')).toEqual([['update', { symbol: 'btc/usd', timestamp: at, value: 97_000.5 }]])
  price = 97_100
  await eventually(() => expect(about('crypto_prices').at(-1)).toEqual(['update', { symbol: 'btcusdt', timestamp: at, value: 97_100 }]))
  comments.push(comment('01900000-0000-7000-8000-000000000002', 'hidden-event', 'This is hidden.'))
  comments.push(comment('01900000-0000-7000-8000-000000000003', 'rain-event', 'Not at all.'))
  await eventually(() => expect(about('comments')).toHaveLength(1))
  const profile = { name: 'anna', proxyWallet: author.address, displayUsernamePublic: true }
  const told = { body: 'Not at all.', parentEntityType: 'Event', parentEntityID: Number(found.id), userAddress: author.address, profile }
  expect(about('comments')).toMatchObject([['comment_created', told]])
  client.disconnect()
})

test('comments of the site are listed by event, by author and by id, those of events that the exchange does not list are not', async () => {
  const [found] = (await (await fetch(`${exchange.url}/compat/gamma/events?slug=rain-event`)).json()) as [{ id: string }]
  const bodies = async (path: string) => {
    const rows = (await (await fetch(`${exchange.url}/compat/gamma/comments${path}`)).json()) as { body: string }[]
    return rows.map(({ body }) => body)
  }
  const both = ['Not at all.', 'It looks like rain.']
  expect(await bodies(`?parent_entity_type=Event&parent_entity_id=${found.id}`)).toEqual(both)
  expect(await bodies(`/user_address/${author.address}?limit=5`)).toEqual(both)
  expect(await bodies('?parent_entity_type=Series&parent_entity_id=1')).toEqual([])
  expect(await bodies('/17')).toEqual([])
})
