import { accountEvent, userMessage } from '@augury/wire/user-stream'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { Listener, type Message } from './listener.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
const platform = await Caller.of(running.url, wallets.operator, 'venue')
const market = await registerMarket(running, 'private', { fee_rate_bps: 100 })
const other = await registerMarket(running, 'private-too')

/** Checksummed, as everywhere. */
const account = wallets.alice.address
const socket = (first?: object) => Listener.open(`${running.url.replace('http', 'ws')}/ws/user`, first)
const login = async (caller: Caller, more: object = {}) => socket({ type: 'user', auth: await caller.streamAuth(), ...more })
const kind = (event_type: string) => (message: Message) => message.event_type === event_type
const events = async (caller: Caller, query: string) => (await caller.call('GET', `/events?${query}`)).body
/** An event as history tells it. */
const asEvent = ({ prev_seq: _, seq: __, ...event }: Message) => event
const stories = ({ heard }: Listener) => heard.filter((message) => message.event_type === 'order' || message.event_type === 'trade')

test('an order’s life as its owner hears it: placed, traded, made smaller, cancelled; history tells the same', async () => {
  const listener = await login(alice)
  const subscribed = await listener.until(kind('subscribed'))
  expect(subscribed).toEqual({
    event_type: 'subscribed',
    channels: { [account]: subscribed.seq },
    markets: [],
    seq: expect.any(Number),
    epoch: 1,
  })
  const bid = await alice.place(limit(market.yes, 'BUY', '0.4', '30'))
  await bob.place(limit(market.no, 'BUY', '0.6', '10'))
  await alice.call('PATCH', '/order', { orderId: bid.orderId, size: '25' })
  await bob.place(limit(market.no, 'BUY', '0.62', '20'))
  const killed = await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.2', '10', { orderType: 'FOK' }))
  const taker = await alice.place(limit(market.yes, 'SELL', '0.3', '5', { orderType: 'FAK' }))
  const last = await alice.place(limit(other.yes, 'BUY', '0.1', '10'))
  await alice.call('DELETE', '/order', { orderId: last.orderId })
  await listener.until((message) => message.type === 'CANCELLATION' && message.id === last.orderId)

  const told = stories(listener).map(({ event_type, type, id, size_matched, size, original_size, status, state, trader_side }) =>
    event_type === 'trade' ? ['trade', size, trader_side] : [type, id.slice(0, 8), `${size_matched}/${original_size}`, status, state],
  )
  const of = ({ orderId }: { orderId: string }) => orderId.slice(0, 8)
  expect(told.slice(0, 7)).toEqual([
    ['PLACEMENT', of(bid), '0/30', 'LIVE', 'live'],
    ['trade', '10', 'MAKER'],
    ['UPDATE', of(bid), '10/30', 'LIVE', 'partially_filled'],
    ['UPDATE', of(bid), '10/25', 'LIVE', 'partially_filled'],
    ['trade', '15', 'MAKER'],
    ['UPDATE', of(bid), '25/25', 'MATCHED', 'filled'],
    ['CANCELLATION', of(killed.body), '0/10', 'INVALID', 'rejected'],
  ])
  expect(told.slice(-2)).toEqual([
    ['PLACEMENT', of(last), '0/10', 'LIVE', 'live'],
    ['CANCELLATION', of(last), '0/10', 'CANCELED', 'cancelled'],
  ])
  expect(taker.code).toBe('fak_no_match')
  const trades = stories(listener).flatMap(({ event_type, id }) => (event_type === 'trade' ? [id] : []))
  const named = stories(listener).flatMap(({ event_type, associate_trades }) => (event_type === 'order' ? [associate_trades] : []))
  expect(named.slice(0, 5)).toEqual([[], [trades[0]], [], [trades[1]], []])

  let seq = subscribed.channels[account]
  for (const message of stories(listener)) {
    expect(userMessage.safeParse(message).error).toBeUndefined()
    if (message.seq !== seq) expect(message.prev_seq).toBe(seq)
    seq = message.seq
  }
  const history = await events(alice, `after=${subscribed.seq}`)
  for (const event of history.data) expect(accountEvent.safeParse(event).error).toBeUndefined()
  expect(history.data.map(asEvent)).toEqual(stories(listener).map(asEvent))
  expect(history.seq).toBeGreaterThanOrEqual(seq)
  listener.kill()
})

test('history comes in pages that join without a gap, and narrows to markets', async () => {
  const whole = await events(alice, 'after=0')
  const paged: Message[] = []
  for (let cursor = 'MA=='; cursor !== 'LTE='; ) {
    const page = await events(alice, `limit=1&next_cursor=${encodeURIComponent(cursor)}`)
    paged.push(...page.data)
    cursor = page.next_cursor
  }
  expect(paged).toEqual(whole.data)
  const narrowed = await events(alice, `after=0&market=${other.condition}`)
  expect(narrowed.data).toEqual(whole.data.filter((event: Message) => event.market === other.condition))
  expect(narrowed.data.length).toBe(2)
  for (const query of [`after=${whole.seq}`, 'next_cursor=LTE=']) {
    expect(await events(alice, query)).toMatchObject({ data: [], seq: whole.seq, epoch: 1, next_cursor: 'LTE=' })
  }
})

test('many orders matched in one row are sent one after the other', async () => {
  const listener = await login(alice)
  const { seq } = await listener.until(kind('subscribed'))
  const bid = await alice.place(limit(market.yes, 'BUY', '0.35', '60'))
  await Promise.all(Array.from({ length: 6 }, () => bob.place(limit(market.no, 'BUY', '0.65', '10'))))
  await listener.until((message) => message.id === bid.orderId && message.state === 'filled')
  const matched = stories(listener).flatMap((message) => (message.event_type === 'order' ? [message.size_matched] : []))
  expect(matched).toEqual(['0', '10', '20', '30', '40', '50', '60'])
  expect((await events(alice, `after=${seq}`)).data.map(asEvent)).toEqual(stories(listener).map(asEvent))
  listener.kill()
})

test('a lost socket resumes without a gap, or is sent to history', async () => {
  const first = await login(alice)
  const { channels } = await first.until(kind('subscribed'))
  first.kill()
  const order = await alice.place(limit(market.yes, 'BUY', '0.1', '10'))
  const second = await login(alice)
  await second.until(kind('subscribed'))
  second.say({ operation: 'resume', seq: channels[account], epoch: 1 })
  expect(await second.until((message) => message.id === order.orderId)).toMatchObject({ prev_seq: channels[account], type: 'PLACEMENT' })
  second.say({ operation: 'resume', seq: 1, epoch: 1 })
  expect(await second.until(kind('resync'))).toEqual({ event_type: 'resync', account, seq: order.seq, epoch: 1 })
  second.kill()
})

test('a socket may follow some markets only, and change its mind', async () => {
  const listener = await login(alice, { markets: [other.condition] })
  await listener.until(kind('subscribed'))
  await alice.place(limit(market.yes, 'BUY', '0.1', '10'))
  const wanted = await alice.place(limit(other.yes, 'BUY', '0.1', '10'))
  await listener.until((message) => message.id === wanted.orderId)
  expect(stories(listener).map(({ id }) => id)).toEqual([wanted.orderId])
  listener.say({ operation: 'subscribe', markets: [market.condition] })
  expect((await listener.until((message) => message.markets?.length === 2)).markets).toEqual([market.condition, other.condition].sort())
  const more = await alice.place(limit(market.yes, 'BUY', '0.1', '10'))
  await listener.until((message) => message.id === more.orderId)
  listener.kill()
})

test('who follows all markets and names one besides still follows all', async () => {
  const listener = await login(alice)
  await listener.until(kind('subscribed'))
  listener.say({ operation: 'subscribe', markets: [market.condition] })
  await listener.until(() => listener.heard.filter(kind('subscribed')).length === 2)
  const { orderId } = await alice.place(limit(other.yes, 'BUY', '0.1', '10'))
  await listener.until((message) => message.id === orderId)
  expect(listener.heard.filter(kind('subscribed')).map(({ markets }) => markets)).toEqual([[], []])
  listener.kill()
})

test('who gives up the last market that was named hears nothing, and does not hear everything', async () => {
  const listener = await login(alice, { markets: [other.condition] })
  await listener.until(kind('subscribed'))
  listener.say({ operation: 'unsubscribe', markets: [other.condition] })
  await listener.until((message) => message.event_type === 'subscribed' && Object.keys(message.channels).length === 0)
  listener.say({ operation: 'resume', seq: 1, epoch: 1 })
  expect(await listener.until(kind('error'))).toMatchObject({ code: 'invalid_payload' })
  await alice.place(limit(other.yes, 'BUY', '0.1', '10'))
  listener.say({ operation: 'subscribe', markets: [market.condition] })
  const again = await listener.until((message) => message.event_type === 'subscribed' && message.markets[0] === market.condition)
  expect(Object.keys(again.channels)).toEqual([account])
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.1', '10'))
  await listener.until((message) => message.id === orderId)
  expect(stories(listener).map(({ id }) => id)).toEqual([orderId])
  listener.kill()
})

test('of more markets than a socket may follow the first are followed and the others named', async () => {
  const markets = Array.from({ length: 201 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`)
  const tooMany = { code: 'too_many_subscriptions', details: { refused: [markets[200]] } }
  const listener = await login(alice, { markets })
  const { markets: followed, unknown } = await listener.until(kind('subscribed'))
  expect([followed, unknown]).toEqual([markets.slice(0, 200), markets.slice(0, 200)])
  expect(await listener.until(kind('error'))).toMatchObject(tooMany)
  listener.heard.length = 0
  listener.say({ operation: 'subscribe', markets: markets.slice(200) })
  expect(await listener.until(kind('error'))).toMatchObject(tooMany)
  expect(listener.heard[0].markets).toHaveLength(200)
  listener.kill()
})

test('a position of the future, or of another time, is none: history is to be asked', async () => {
  const listener = await login(alice)
  const { channels } = await listener.until(kind('subscribed'))
  for (const [seq, epoch] of [
    [channels[account] + 1000, 1],
    [channels[account], 2],
  ]) {
    listener.say({ operation: 'resume', seq, epoch })
    await listener.until(() => listener.heard.filter(kind('resync')).length > 0)
    expect(listener.heard.splice(0).filter(kind('resync'))).toEqual([{ event_type: 'resync', account, seq: channels[account], epoch: 1 }])
  }
  listener.kill()
})

test.each([
  ['no login', async () => ({ operation: 'subscribe', markets: [] }), 'bad_headers'],
  ['a login that is none', async () => ({ type: 'user', auth: { key: 'x' } }), 'invalid_payload'],
  [
    'a time that is a number',
    async () => ({ type: 'user', auth: { ...(await alice.streamAuth()), timestamp: 1 } }),
    'invalid_payload',
    'auth.timestamp',
  ],
  ['an old signature', async () => ({ type: 'user', auth: await alice.streamAuth(-31) }), 'stale_timestamp'],
  [
    'a signature of another account',
    async () => ({ type: 'user', auth: { ...(await bob.streamAuth()), key: alice.key.key } }),
    'bad_signature',
  ],
  ['another passphrase', async () => ({ type: 'user', auth: { ...(await alice.streamAuth()), passphrase: 'ab' } }), 'bad_passphrase'],
  ['another account', async () => ({ type: 'user', auth: await bob.streamAuth(), accounts: [account] }), 'insufficient_scope'],
])('4001: %s', async (_, first, code, path?: string) => {
  const listener = await socket(await first())
  const error = await listener.until(kind('error'))
  expect(error).toMatchObject({ code })
  if (path) expect(error.details).toMatchObject([{ path }])
  expect(await listener.untilClosed()).toBe(4001)
})

test('a read-only key cancels nothing, and a login cannot follow another account', async () => {
  const reader = await Caller.of(running.url, wallets.bob, 'read', 6n)
  const refused = await login(reader, { cancel_on_disconnect: true })
  expect(await refused.until(kind('error'))).toMatchObject({ code: 'insufficient_scope' })
  expect(await refused.untilClosed()).toBe(4001)
  const listener = await login(reader)
  await listener.until(kind('subscribed'))
  listener.say({ operation: 'subscribe', accounts: [account] })
  expect(await listener.until(kind('error'))).toMatchObject({ code: 'insufficient_scope' })
  listener.kill()
})

test('a silent socket and a revoked key are disconnected, both with the reason', async () => {
  const silent = await socket()
  const revoked = await Caller.of(running.url, wallets.alice, undefined, 5n)
  const listener = await login(revoked)
  await listener.until(kind('subscribed'))
  await revoked.call('DELETE', '/auth/api-key')
  expect(await listener.untilClosed()).toBe(4001)
  expect(await silent.untilClosed()).toBe(4001)
  const codes = [listener, silent].map(({ heard }) => heard.filter(kind('error')).map(({ code }) => code))
  expect(codes).toEqual([['unknown_key'], ['bad_headers']])
})

test('a revoked key does not receive later events', async () => {
  const revoked = await Caller.of(running.url, wallets.alice, undefined, 6n)
  const listener = await login(revoked)
  await listener.until(kind('subscribed'))
  await revoked.call('DELETE', '/auth/api-key')
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.02', '5'))
  listener.say({ operation: 'subscribe', markets: [market.condition] })
  expect(await listener.untilClosed()).toBe(4001)
  expect(listener.heard.filter(({ event_type }) => event_type === 'order' || event_type === 'subscribed')).toHaveLength(1)
  await alice.call('DELETE', '/order', { orderId })
})

test('the venue’s own key follows other accounts, each by its own chain', async () => {
  const listener = await login(platform, { accounts: [account] })
  await listener.until(kind('subscribed'))
  listener.say({ operation: 'subscribe', accounts: [wallets.bob.address] })
  await listener.until((message) => message.event_type === 'subscribed' && Object.keys(message.channels).length === 2)
  const [theirs, ours] = [await bob.place(limit(other.yes, 'BUY', '0.1', '10')), await alice.place(limit(other.yes, 'BUY', '0.1', '10'))]
  await listener.until((message) => message.id === ours.orderId)
  expect(stories(listener).map((message) => [message.account, message.id])).toEqual([
    [wallets.bob.address, theirs.orderId],
    [account, ours.orderId],
  ])
  expect((await events(platform, `account=${account}`)).data.length).toBeGreaterThan(10)
  expect((await bob.call('GET', `/events?account=${account}`)).body.code).toBe('insufficient_scope')
  const beat = await listener.until(kind('heartbeat'))
  expect(beat.channels).toEqual({ [account]: ours.seq, [wallets.bob.address]: theirs.seq })
  listener.kill()
})

test('a drain tells every socket to come back, and cancels nothing', async () => {
  const { orderId } = await alice.place(limit(market.yes, 'BUY', '0.1', '10'))
  const listener = await login(alice, { cancel_on_disconnect: true })
  await listener.until(kind('subscribed'))
  await running.restart()
  expect(await listener.untilClosed()).toBe(1013)
  const again = await login(alice, { cancel_on_disconnect: true })
  await again.until(kind('subscribed'))
  expect((await alice.call('GET', `/data/order/${orderId}`)).body.state).toBe('live')
  again.kill()
})
