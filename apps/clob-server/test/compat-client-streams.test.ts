import { afterAll, expect, test } from 'vitest'
import { Listener } from './listener.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

// Frames of clients in other languages: a type and an operation in one, a list that is null, filters that are no text.

const running = await runningServer()
const [market, other] = await Promise.all([registerMarket(running, 'client-streams'), registerMarket(running, 'client-streams-2')])
const alice = await funded(running.url, wallets.alice, '1000')
const open: Listener[] = []
afterAll(() => {
  for (const listener of open) listener.kill()
})

/** A socket that has said all this, and was heard. */
async function listen(path: string, ...frames: object[]): Promise<Listener> {
  const listener = await Listener.open(`${running.url.replace('http', 'ws')}/compat${path}`)
  open.push(listener)
  for (const frame of [...frames, 'PING']) listener.say(frame)
  await listener.until((message) => message === 'PONG')
  return listener
}

const bid = (tokenId: string) => alice.call('POST', '/order', limit(tokenId, 'BUY', '0.3', '10'))
const auth = () => ({ apiKey: alice.key.key, secret: alice.key.secret, passphrase: alice.key.passphrase })
/** What of it happened in which of the two markets. */
const about = ({ heard }: Listener) =>
  heard.flatMap(({ event_type, market: id }) => (id ? [`${event_type} ${id === market.condition ? 'here' : 'there'}`] : []))

test('a frame with a type and an operation does what the operation says', async () => {
  const market_ = (operation: string, ids: string[] | null) => ({ type: 'market', operation, markets: [], assets_ids: ids })
  const left = await listen('/ws/market', market_('subscribe', [market.yes, other.yes]), market_('unsubscribe', [market.yes]))
  const none = await listen('/ws/market', market_('subscribe', null))
  const user = (operation: string, ids: string[] | null) => ({ type: 'user', operation, markets: ids, assets_ids: [], auth: auth() })
  const both = await listen('/ws/user', user('subscribe', [other.condition]), user('subscribe', [market.condition]))
  const one = await listen('/ws/user', user('subscribe', [market.condition, other.condition]), user('unsubscribe', [market.condition]))
  const all = await listen('/ws/user', user('subscribe', null), user('subscribe', [other.condition]))
  const narrow = await listen('/ws/user', user('subscribe', [other.condition]))
  await bid(market.yes)
  await bid(other.yes)
  await alice.call('DELETE', '/cancel-all')
  const orders = ['order here', 'order there', 'order here', 'order there']
  await expect.poll(() => [both, all].map(about)).toEqual([orders, orders])
  await expect
    .poll(() => [one, narrow].map(about))
    .toEqual([
      ['order there', 'order there'],
      ['order there', 'order there'],
    ])
  await expect.poll(() => about(left)).toEqual(['book here', 'book there', 'price_change there', 'price_change there'])
  expect(about(none)).toEqual([])
})

test('the creation time of an order is a text, as the other times of its event are', async () => {
  const one = await listen('/ws/user', { type: 'user', auth: auth() })
  const { body } = await bid(market.yes)
  const event = await one.until(({ id }) => id === body.orderID)
  expect([event.created_at, event.expiration, event.timestamp]).toEqual([expect.stringMatching(/^\d{10}$/), '0', expect.any(String)])
  await alice.call('DELETE', '/cancel-all')
})

test('the live stream understands filters that are JSON themselves, and answers PING', async () => {
  const filters = [{ topic: 'clob_market', type: '*', filters: [market.yes] }]
  const one = await listen('/live', {
    action: 'subscribe',
    subscriptions: [...filters, { topic: 'activity', type: '*', filters: { market_slug: 'x' } }],
  })
  await bid(market.yes)
  await alice.call('DELETE', '/cancel-all')
  await expect.poll(() => one.heard.flatMap(({ topic }) => topic ?? [])).toEqual(['clob_market', 'clob_market'])
  one.say({ action: 'unsubscribe', subscriptions: filters })
  one.say('PING')
  await expect.poll(() => one.heard.filter((message) => message === 'PONG')).toHaveLength(2)
  await bid(market.yes)
  await alice.call('DELETE', '/cancel-all')
  expect(one.heard.at(-1)).toBe('PONG')
})

test('a message in a binary frame is read as its text, as clients send it whose JSON is bytes', async () => {
  const bytes = (message: object) => new TextEncoder().encode(JSON.stringify(message))
  for (const path of ['/ws/market', '/compat/ws/market']) {
    const listener = await Listener.open(running.url.replace('http', 'ws') + path, bytes({ type: 'market', assets_ids: [market.yes] }))
    open.push(listener)
    expect(await listener.until(({ event_type }) => event_type === 'book')).toMatchObject({ asset_id: market.yes })
  }
  const private_ = await listen('/ws/user', bytes({ type: 'user', auth: auth(), markets: [] }))
  await bid(other.yes)
  expect(await private_.until(({ event_type }) => event_type === 'order')).toMatchObject({ asset_id: other.yes, type: 'PLACEMENT' })
  const unknown = await Listener.open(`${running.url.replace('http', 'ws')}/ws/user`, bytes({ type: 'user' }))
  expect(await unknown.until(({ event_type }) => event_type === 'error')).toMatchObject({ code: 'invalid_payload' })
  expect(await unknown.untilClosed()).toBe(4001)
})

test('lists in lists without end are no message, and end nothing', async () => {
  const one = await listen('/live')
  for (const filters of ['['.repeat(15_000) + ']'.repeat(15_000), `${'{"a":'.repeat(8000)}1${'}'.repeat(8000)}`])
    one.say(`{"action":"subscribe","subscriptions":[{"topic":"activity","type":"*","filters":${filters}}]}`)
  one.say('PING')
  await expect.poll(() => one.heard).toEqual(['PONG', 'PONG'])
})
