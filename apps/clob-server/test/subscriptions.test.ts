import type { VenueRoot } from '@augury/api/venue-root'
import { RefusedError } from '@augury/client/answer'
import { LiveBook } from '@augury/client/live-book'
import { type TrpcOptions, venueTrpcClient } from '@augury/client/trpc'
import { eventually } from '@augury/testing/eventually'
import { freePort } from '@augury/testing/free-port'
import type { SubscriptionInput, SubscriptionMessages, VenueSubscriptionName } from '@augury/wire/subscriptions'
import type { createTRPCClient } from '@trpc/client'
import { expect, expectTypeOf, test } from 'vitest'
import { WebSocket } from 'ws'
import { Caller, send } from './caller.ts'
import { Listener } from './listener.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const metricsPort = await freePort()
const running = await runningServer({ METRICS_PORT: String(metricsPort) })
const alice = await funded(running.url, wallets.alice, '100000')
const bob = await funded(running.url, wallets.bob, '100000')
const market = await registerMarket(running, 'subscribed', { tick_size: '0.001' })

/** Sockets of a client, which a test may cut. */
function cuttable() {
  const open = new Set<WebSocket>()
  class Cuttable extends WebSocket {
    constructor(url: string) {
      super(url)
      open.add(this)
      this.on('close', () => open.delete(this))
    }
  }
  return {
    Cuttable: Cuttable as unknown as typeof globalThis.WebSocket,
    cut: () => open.forEach((socket) => void socket.terminate()),
    open,
  }
}

/** A subscription and all it told. */
function subscribe<Name extends VenueSubscriptionName>(name: Name, input: SubscriptionInput<Name>, options: Partial<TrpcOptions> = {}) {
  const sockets = cuttable()
  const client = venueTrpcClient({ url: running.url, WebSocket: sockets.Cuttable, ...options })
  const told: { id: string; data: SubscriptionMessages<Name> }[] = []
  const errors: unknown[] = []
  let starts = 0
  const start = client[name].subscribe as (input: unknown, subscriber: unknown) => { unsubscribe(): void }
  const { unsubscribe } = start(input, {
    onData: (item: (typeof told)[number]) => told.push(item),
    onError: (error: unknown) => errors.push(error),
    onStarted: () => starts++,
  })
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
  const messages = (): any[] => told.flatMap(({ data }) => data as object[])
  return { ...sockets, told, errors, messages, unsubscribe, starts: () => starts }
}

const orderbook = async (token: string) => (await send(running.url, 'GET', `/orderbook?token_id=${token}`)).body

test('a market begins with its books, tells every change, and goes on where it was after its socket was cut', async () => {
  const stream = subscribe('onMarket', { markets: [market.condition] })
  const book = new LiveBook([market.yes, market.no])
  let read = 0
  const absorb = () => {
    for (const message of stream.messages().slice(read)) expect(book.apply(message), JSON.stringify(message)).not.toBe('gap')
    read = stream.messages().length
  }
  await eventually(() => expect(stream.messages().filter(({ event_type }) => event_type === 'book')).toHaveLength(2))
  for (let round = 0; round < 12; round++) {
    if (round % 3 === 1) stream.cut()
    const orders = Array.from({ length: 6 }, (_, i) =>
      (i % 2 ? alice : bob).place(limit(i % 3 ? market.yes : market.no, 'BUY', `0.${300 + ((round * 37 + i * 53) % 300)}`, '10')),
    )
    if (round % 3 === 2) stream.cut()
    await Promise.all(orders)
    const { bids, asks, seq } = await orderbook(market.yes)
    await eventually(() => {
      absorb()
      expect(book.seq).toBe(seq)
    })
    expect(book.levels(0)).toEqual({ bids, asks })
  }
  expect(stream.starts()).toBeGreaterThan(0)
  expect(stream.messages().filter(({ event_type }) => event_type === 'resync')).toEqual([])
  stream.unsubscribe()
  await eventually(() => expect(stream.open.size).toBe(0))
})

test('an account receives everything once, also what happened while it was disconnected', async () => {
  const stream = subscribe('onUser', {}, { apiKey: alice.key })
  await eventually(() => expect(stream.messages()[0]).toMatchObject({ event_type: 'subscribed' }))
  const start = stream.messages()[0].seq
  for (let round = 0; round < 6; round++) {
    if (round % 2) stream.cut()
    await Promise.all([alice.place(limit(market.yes, 'BUY', '0.2', '10')), bob.place(limit(market.no, 'BUY', '0.81', '10'))])
  }
  const { data } = (await alice.call('GET', `/events?after=${start}`)).body
  const ids = data.map(({ event_id }: { event_id: string }) => event_id)
  const heard = () => stream.messages().flatMap(({ event_id }) => event_id ?? [])
  await eventually(() => expect(heard().length).toBeGreaterThanOrEqual(ids.length))
  expect(heard().toSorted()).toEqual(ids.toSorted())
  stream.unsubscribe()

  const later = subscribe('onUser', { after: start, markets: [market.condition] }, { apiKey: alice.key })
  await eventually(() => expect(later.messages().flatMap(({ event_id }) => event_id ?? [])).toEqual(ids))
  later.unsubscribe()
  const resumed = subscribe('onUser', { lastEventId: `1-${start}` }, { apiKey: alice.key })
  await eventually(() => expect(resumed.messages().flatMap(({ event_id }) => event_id ?? [])).toEqual(ids))
  resumed.unsubscribe()
})

test.each<[string, () => Partial<TrpcOptions>, SubscriptionInput<'onUser'>, string]>([
  ['no account', () => ({}), {}, 'bad_headers'],
  ['a wrong secret', () => ({ apiKey: { ...alice.key, secret: bob.key.secret } }), {}, 'bad_signature'],
  ['another account', () => ({ apiKey: alice.key }), { account: wallets.bob.address }, 'insufficient_scope'],
  ['an id that is none', () => ({ apiKey: alice.key }), { lastEventId: 'x' }, 'invalid_payload'],
])('%s hears nothing private', async (_, options, input, code) => {
  const { errors, told } = subscribe('onUser', input, options())
  await eventually(() => expect(errors).toEqual([expect.objectContaining({ name: 'RefusedError', code })]))
  expect(errors[0]).toBeInstanceOf(RefusedError)
  expect(told).toEqual([])
})

test('what is refused at its login has not begun', async () => {
  const { errors, starts } = subscribe('onUser', {}, { apiKey: { ...alice.key, secret: bob.key.secret } })
  await eventually(() => expect(errors).toHaveLength(1))
  expect(starts()).toBe(0)
})

test('a wrong clock is set by the server’s', async () => {
  const stream = subscribe('onUser', {}, { apiKey: alice.key, now: () => Date.now() - 3_600_000 })
  await eventually(() => expect(stream.messages()[0]).toMatchObject({ event_type: 'subscribed' }))
  expect(stream.errors).toEqual([])
  stream.unsubscribe()
})

test('a clock that is set while it listens is learned again, also when the service is asked for its time in vain', async () => {
  let aheadMs = -3_600_000
  let inVain = 0
  const askedInVain: typeof fetch = (...asked) => (inVain-- > 0 ? Promise.reject(new TypeError('connection refused')) : fetch(...asked))
  const stream = subscribe('onUser', {}, { apiKey: alice.key, now: () => Date.now() + aheadMs, fetch: askedInVain })
  await eventually(() => expect(stream.messages()).toMatchObject([{ event_type: 'subscribed' }]))
  for (const wrongMs of [0, 40_000]) {
    aheadMs = wrongMs
    inVain = 1
    stream.cut()
    const heard = stream.told.length
    await eventually(() => expect(stream.messages().slice(heard)).toMatchObject([{ event_type: 'subscribed' }]))
  }
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.04', '10'))
  await eventually(() => expect(stream.messages().map(({ id }) => id)).toContain(orderId))
  expect(stream.errors).toEqual([])
  stream.unsubscribe()
})

test('subscriptions of one client outlive the login of another', async () => {
  const client = venueTrpcClient({ url: running.url, apiKey: alice.key, now: () => Date.now() - 3_600_000 })
  const told = { market: [] as string[], user: [] as string[] }
  const kinds = (data: readonly { event_type: string }[]) => data.map(({ event_type }) => event_type)
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const streams = [
    client.onMarket.subscribe({ markets: [market.condition] }, { onData: ({ data }) => told.market.push(...kinds(data)), onError }),
    client.onUser.subscribe({}, { onData: ({ data }) => told.user.push(...kinds(data)), onError }),
  ]
  await eventually(() => expect([told.market.includes('book'), told.user]).toEqual([true, ['subscribed']]))
  await alice.place(limit(market.yes, 'BUY', '0.05', '10'))
  await eventually(() => expect([told.market.includes('price_change'), told.user.includes('order')]).toEqual([true, true]))
  expect(errors).toEqual([])
  for (const { unsubscribe } of streams) unsubscribe()
})

test('a revoked key receives nothing more, and gets the reason', async () => {
  const spare = await Caller.of(running.url, wallets.carol, undefined, 5n)
  const stream = subscribe('onUser', {}, { apiKey: spare.key })
  await eventually(() => expect(stream.messages()).not.toHaveLength(0))
  await spare.call('DELETE', '/auth/api-key')
  await eventually(() => expect(stream.errors).toEqual([expect.objectContaining({ code: 'unknown_key' })]))
})

test('on a socket that was opened by it a revoked key begins nothing more', async () => {
  const { orderId } = await bob.place(limit(market.yes, 'BUY', '0.02', '10'))
  const spare = await Caller.of(running.url, wallets.bob, undefined, 6n)
  const socket = await Listener.open(`${running.url.replace('http', 'ws')}/trpc?connectionParams=1`)
  const { SVC_TIMESTAMP: timestamp, SVC_SIGNATURE: signature } = await spare.headers('GET', '/trpc')
  const { key, passphrase } = spare.key
  socket.say({ method: 'connectionParams', data: { key, passphrase, timestamp, signature } })
  const subscribe = (id: number, input: object) => socket.say({ id, method: 'subscription', params: { path: 'onUser', input } })
  subscribe(1, {})
  await socket.until(({ id, result }) => id === 1 && result?.data)
  await spare.call('DELETE', '/auth/api-key')
  subscribe(2, { after: 0, cancel_on_disconnect: true })
  expect(await socket.until(({ id }) => id === 2)).toMatchObject({ error: { data: { refusal: { code: 'unknown_key' } } } })
  socket.kill()
  expect((await bob.call('GET', `/data/order/${orderId}`)).body).toMatchObject({ state: 'live' })
})

test('live events of an account match the document, to the last field', async () => {
  const socket = await Listener.open(`${running.url.replace('http', 'ws')}/trpc?connectionParams=1`)
  const { SVC_TIMESTAMP: timestamp, SVC_SIGNATURE: signature } = await alice.headers('GET', '/trpc')
  const { key, passphrase } = alice.key
  socket.say({ method: 'connectionParams', data: { key, passphrase, timestamp, signature } })
  socket.say({ id: 1, method: 'subscription', params: { path: 'onUser' } })
  await socket.until(({ result }) => result?.data)
  const told = async (type: string) => {
    const { result } = await socket.until((frame) => frame.result?.data?.data[0].event_type === type)
    return result.data.data[0]
  }
  await alice.place(limit(market.yes, 'BUY', '0.2', '10'))
  expect((await told('order')).prev_seq).toBeGreaterThan(0)
  await bob.place(limit(market.no, 'BUY', '0.8', '10'))
  expect((await told('trade')).prev_seq).toBeGreaterThan(0)
  socket.kill()
})

test('the end of a subscription that asked for it cancels everything of its account', async () => {
  const { orderId } = await bob.place(limit(market.yes, 'BUY', '0.01', '10'))
  const stream = subscribe('onUser', { cancel_on_disconnect: true }, { apiKey: bob.key })
  await eventually(() => expect(stream.messages()).toHaveLength(1))
  stream.unsubscribe()
  await eventually(async () =>
    expect((await bob.call('GET', `/data/order/${orderId}`)).body).toMatchObject({ state: 'cancelled', cancel_reason: 'disconnect' }),
  )
})

test('a restart is a gap that subscribers do not see', async () => {
  const stream = subscribe('onUser', {}, { apiKey: alice.key })
  const prices = subscribe('onMarket', { assets_ids: [market.yes] })
  await eventually(() => expect([stream.told.length, prices.told.length]).toEqual([1, 1]))
  await running.restart()
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.1', '10'))
  await eventually(() => expect(stream.messages().map(({ id }) => id)).toContain(orderId))
  const book = new LiveBook([market.yes, market.no])
  await eventually(() => {
    for (const message of prices.messages()) expect(book.apply(message)).not.toBe('gap')
    expect(book.levels(0).bids).toContainEqual({ price: '0.1', size: '10' })
  })
  stream.unsubscribe()
  prices.unsubscribe()
})

test('sockets are counted, and do nothing but subscribe; subscriptions are only there', async () => {
  const socket = await Listener.open(`${running.url.replace('http', 'ws')}/trpc`)
  socket.say({ id: 1, method: 'query', params: { path: 'getOk' } })
  expect(await socket.until(({ id }) => id === 1)).toMatchObject({ error: { data: { code: 'NOT_FOUND' } } })
  for (let id = 2; id < 24; id++)
    socket.say({ id, method: 'subscription', params: { path: 'onMarket', input: { markets: [market.condition] } } })
  expect(await socket.until(({ id, error }) => id === 23 && error)).toMatchObject({
    error: { data: { refusal: { code: 'too_many_items' } } },
  })
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(figures).toMatch(/^augury_sockets\{stream="trpc"\} [1-9]/m)
  expect(figures).toMatch(/^augury_sockets\{stream="compat_live"\} 0/m)
  socket.kill()
  const reply = await send(running.url, 'GET', '/trpc/onMarket')
  expect([reply.status, reply.body.error.data.code]).toEqual([404, 'NOT_FOUND'])
})

test('tRPC’s own client has the types of ours', () => {
  const typed = (client: ReturnType<typeof createTRPCClient<VenueRoot>>) =>
    client.onUser.subscribe(
      { after: 1 },
      { onData: (told) => expectTypeOf(told).toEqualTypeOf<{ id: string; data: SubscriptionMessages<'onUser'> }>() },
    )
  expectTypeOf(typed).toBeFunction()
})
