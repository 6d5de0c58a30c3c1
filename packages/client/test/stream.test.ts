import type { AddressInfo } from 'node:net'
import type { MarketRequest } from '@augury/wire/market-stream'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket as Socket, WebSocketServer, WebSocket as WsSocket } from 'ws'
import type { RefusedError } from '../src/answer.ts'
import type { StreamStatus } from '../src/reconnecting-socket.ts'
import { MarketStream, type MarketStreamOptions, marketStreamUrl } from '../src/stream.ts'
import { thrownToNobody } from './thrown.ts'

const market = { condition_id: '0xc', tokens: [{ token_id: 'yes' }, { token_id: 'no' }] }
const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp()
})

/** A WebSocket server controlled by the test, and a stream that follows one market on it. */
async function follow(options: Partial<MarketStreamOptions> = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  cleanUps.push(() => server.close())
  const heard = inbox<[Socket, MarketRequest]>()
  server.on('connection', (socket) => {
    cleanUps.push(() => socket.terminate())
    socket.on('message', (data) => {
      if (String(data) !== 'PING') heard.put([socket, JSON.parse(String(data)) as MarketRequest])
    })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const statuses: StreamStatus[] = []
  const bests = inbox<string | undefined>()
  const stream = new MarketStream({
    url: marketStreamUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    onStatus: (status) => statuses.push(status),
    reconnectMs: 1,
    ...options,
  })
  cleanUps.push(() => stream.close())
  const unfollow = stream.follow(market, (book) => bests.put(book.levels(0).bids[0]?.price))
  return { stream, statuses, heard, bests, unfollow }
}

/** What arrives, in order, waited for. */
function inbox<T>() {
  const waiting: ((value: T) => void)[] = []
  const values: T[] = []
  return {
    put: (value: T) => {
      const next = waiting.shift()
      if (next) next(value)
      else values.push(value)
    },
    take: () => new Promise<T>((resolve) => (values.length > 0 ? resolve(values.shift()!) : waiting.push(resolve))),
  }
}

const say = (socket: Socket, ...messages: object[]) => socket.send(JSON.stringify(messages.length === 1 ? messages[0] : messages))
/** What the service says to a PING, after everything that was asked before it is answered. */
const answered = (socket: Socket) => socket.send('PONG')
const subscribed = { event_type: 'subscribed', markets: ['0xc'], assets_ids: ['yes', 'no'], unknown: [], seq: 7, epoch: 1 }
const about = { market: '0xc', timestamp: '1', epoch: 1 }
const book = (seq: number, price: string) => ({
  event_type: 'book',
  ...about,
  asset_id: 'yes',
  hash: '',
  bids: [{ price, size: '1' }],
  asks: [],
  min_order_size: '5',
  tick_size: '0.01',
  neg_risk: false,
  last_trade_price: '',
  seq,
  prev_seq: seq,
})
const change = (seq: number, prev_seq: number, price: string) => ({
  event_type: 'price_change',
  ...about,
  seq,
  prev_seq,
  price_changes: [{ asset_id: 'yes', side: 'BUY', price, size: '2', best_bid: '0', best_ask: '1' }],
})

test('following a market subscribes to it, shows its snapshot, and applies each change', async () => {
  const { stream, heard, bests, statuses } = await follow()
  const [socket, request] = await heard.take()
  expect(request).toEqual({ type: 'market', markets: ['0xc'] })
  say(socket, subscribed)
  say(socket, book(7, '0.4'), { ...book(7, '0.6'), asset_id: 'no' })
  expect(await bests.take()).toBe('0.4')
  say(socket, { event_type: 'something_new', seq: 8 })
  say(socket, change(9, 7, '0.5'))
  expect(await bests.take()).toBe('0.5')
  answered(socket)
  await expect.poll(() => [stream.status, statuses]).toEqual(['live', ['live']])
})

test('a stream takes the sockets of ws where none are built in', async () => {
  const { heard, bests } = await follow({ WebSocket: WsSocket })
  const [socket] = await heard.take()
  say(socket, subscribed)
  say(socket, book(7, '0.4'))
  expect(await bests.take()).toBe('0.4')
})

test('a market that the service does not know is reported', async () => {
  const refused = inbox<RefusedError>()
  const { heard } = await follow({ onError: refused.put })
  const [socket] = await heard.take()
  say(socket, { ...subscribed, markets: [], assets_ids: [], unknown: ['0xc'] })
  expect(await refused.take()).toMatchObject({ status: 404, code: 'unknown_market', details: { market: '0xc' } })
  const details = [{ path: 'markets.0', problem: 'expected a text' }]
  say(socket, { event_type: 'error', error: 'Invalid payload', code: 'invalid_payload', details })
  expect(await refused.take()).toMatchObject({ name: 'RefusedError', message: 'Invalid payload', code: 'invalid_payload', details })
})

test.each<[string, object]>([
  ['a frame is missing', change(12, 9, '0.5')],
  ['a heartbeat names another position', { event_type: 'heartbeat', timestamp: '1', seq: 12, epoch: 1, channels: { '0xc': 12 } }],
  ['the checksum differs', { ...change(9, 7, '0.5'), checksum: 1 }],
])('when %s, a new snapshot is asked for and nothing is shown until it comes', async (_, message) => {
  const { heard, bests } = await follow()
  const [socket] = await heard.take()
  say(socket, subscribed)
  say(socket, book(7, '0.4'))
  await bests.take()
  say(socket, message)
  say(socket, change(13, 12, '0.7'))
  expect((await heard.take())[1]).toEqual({ operation: 'subscribe', markets: ['0xc'] })
  say(socket, book(13, '0.6'))
  expect(await bests.take()).toBe('0.6')
})

test('after a lost connection the stream resumes at its last position', async () => {
  const { heard, bests, statuses, stream } = await follow()
  const [first] = await heard.take()
  say(first, subscribed)
  say(first, book(7, '0.4'))
  answered(first)
  await bests.take()
  await expect.poll(() => stream.status).toBe('live')
  first.terminate()
  const requests = [await heard.take(), await heard.take()]
  expect(requests.map(([, request]) => request)).toEqual([
    { type: 'market', markets: [] },
    { operation: 'resume', market: '0xc', seq: 7, epoch: 1 },
  ])
  const [second] = requests[0]!
  say(second, { ...subscribed, markets: [], assets_ids: [] })
  say(second, subscribed)
  say(second, change(9, 7, '0.5'))
  expect(await bests.take()).toBe('0.5')
  expect(stream.status).toBe('reconnecting') // more may have been missed
  answered(second)
  await expect.poll(() => [stream.status, statuses]).toEqual(['live', ['live', 'reconnecting', 'live']])
})

test('a resync replaces the book by its new snapshot, without showing an empty book', async () => {
  const { heard, bests } = await follow()
  const [socket] = await heard.take()
  say(socket, subscribed)
  say(socket, book(7, '0.4'))
  await bests.take()
  say(socket, { event_type: 'resync', market: '0xc', seq: 90, epoch: 2 }, { ...book(90, '0.2'), epoch: 2 })
  expect(await bests.take()).toBe('0.2')
})

test('a listener that throws keeps neither the rest of the frame from anybody, nor its error to itself', async () => {
  const thrown = thrownToNobody()
  const { heard, bests, stream } = await follow()
  const fault = new Error('a bug of the program')
  stream.follow(market, () => {
    throw fault
  })
  const others = inbox<string | undefined>()
  stream.follow(market, (one) => others.put(one.levels(0).bids[0]?.price))
  const [socket] = await heard.take()
  say(socket, subscribed)
  say(socket, book(7, '0.4'), change(9, 7, '0.5'))
  for (const one of [bests, others]) expect([await one.take(), await one.take()]).toEqual(['0.4', '0.5'])
  await expect.poll(() => thrown).toEqual([fault, fault])
})

test('a market without followers is unsubscribed', async () => {
  const { heard, unfollow } = await follow()
  const [socket] = await heard.take()
  say(socket, subscribed)
  unfollow()
  expect((await heard.take())[1]).toEqual({ operation: 'unsubscribe', markets: ['0xc'] })
})

test('a final close code ends the stream as refused', async () => {
  const changed = inbox<StreamStatus>()
  const { heard } = await follow({ onStatus: changed.put })
  const [socket] = await heard.take()
  socket.close(4009)
  expect(await changed.take()).toBe('refused')
})

test('a socket that sends something other than JSON is replaced', async () => {
  const { heard, bests } = await follow()
  const [socket] = await heard.take()
  socket.send('<html>502 Bad Gateway</html>')
  const [next, request] = await heard.take()
  expect(request).toEqual({ type: 'market', markets: ['0xc'] })
  say(next, subscribed, book(7, '0.4'))
  expect(await bests.take()).toBe('0.4')
})

test('a silent socket is replaced', async () => {
  const changed = inbox<StreamStatus>()
  const { heard } = await follow({ onStatus: changed.put, staleMs: 50 })
  await heard.take()
  expect(await changed.take()).toBe('reconnecting')
  expect((await heard.take())[1]).toEqual({ type: 'market', markets: ['0xc'] })
})
