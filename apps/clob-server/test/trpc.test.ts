import type { VenueRoot } from '@augury/api/venue-root'
import { CANCEL_BATCH } from '@augury/wire/limits'
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '1000')
const market = await registerMarket(running, 'trpc')

/** A typed client that signs every request as any other request is signed. */
function client(caller: Caller | null) {
  const signing: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    const body = typeof init?.body === 'string' ? init.body : ''
    const signed = caller ? await caller.headers(init?.method ?? 'GET', pathname, body) : {}
    return fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...signed } })
  }
  return createTRPCClient<VenueRoot>({ links: [httpLink({ url: `${running.url}/trpc`, fetch: signing })] })
}

/** The refusal that a call came back with. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error) => {
      if (!(error instanceof TRPCClientError)) throw error
      return { status: error.data?.httpStatus, refusal: error.data?.refusal, message: error.message }
    },
  )

test('the same operations, the same answers', async () => {
  const visitor = client(null)
  const rest = async (path: string) => (await send(running.url, 'GET', path)).body
  expect(await visitor.getMarket.query({ params: { condition_id: market.condition } })).toEqual(await rest(`/markets/${market.condition}`))
  expect(await visitor.getOrderbook.query({ query: { token_id: market.yes } })).toEqual(await rest(`/orderbook?token_id=${market.yes}`))
  expect(await visitor.getOk.query()).toBe('OK')
})

test('an order is placed and cancelled by signed procedures', async () => {
  const trader = client(alice)
  const placed = await trader.placeOrder.mutate({ body: { tokenId: market.yes, side: 'BUY', orderType: 'GTC', price: '0.3', size: '10' } })
  expect(placed.state).toBe('live')
  expect((await trader.getOrder.query({ params: { id: placed.orderId } })).state).toBe('live')
  expect((await trader.cancelOrder.mutate({ body: { orderId: placed.orderId } })).canceled).toEqual([placed.orderId])
})

test('as much may be asked at once as over REST', async () => {
  const ids = Array.from({ length: CANCEL_BATCH }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`)
  const { not_canceled } = await client(alice).cancelOrders.mutate({ body: ids })
  expect(Object.keys(not_canceled)).toHaveLength(CANCEL_BATCH)
})

test('a call that is too long is refused as every other is', async () => {
  const long = client(alice).placeOrder.mutate({ body: { tokenId: 'x'.repeat(70_000) } as never })
  expect(await refusal(long)).toMatchObject({ status: 413, refusal: { error: 'Payload exceeds the limit', code: 'payload_too_large' } })
})

test('when to ask again is in the header, as over REST', async () => {
  const ask = () => {
    const body = JSON.stringify({ body: { address: wallets.carol.address, amount: '100000' } })
    return fetch(`${running.url}/trpc/faucet`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  }
  expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
})

test('what is beside params, query and body is refused, not passed over', async () => {
  const narrowed = client(alice).listOrders.query({ market: market.condition } as never)
  expect(await refusal(narrowed)).toMatchObject({ status: 400, refusal: { code: 'invalid_payload', details: [{ path: 'market' }] } })
})

test('a refusal has the code, the text and the status it has over REST', async () => {
  const trader = client(alice)
  expect(await refusal(client(null).listOrders.query())).toMatchObject({
    status: 401,
    refusal: { error: 'Unauthenticated', code: 'bad_headers' },
  })
  expect(await refusal(trader.cancelOrder.mutate({ body: { orderId: 'x' } }))).toMatchObject({
    status: 404,
    refusal: { error: 'Order not found', code: 'order_not_found' },
  })
  expect(await refusal(trader.pauseVenue.mutate())).toMatchObject({ status: 403, refusal: { code: 'insufficient_scope' } })
  expect(await refusal(trader.placeOrder.mutate({ body: { nonsense: true } as never }))).toMatchObject({
    status: 400,
    refusal: { code: 'invalid_payload' },
  })
})

test('a budget is one, whichever way a call comes', async () => {
  const carol = await Caller.of(running.url, wallets.carol)
  await carol.call('DELETE', '/order', { orderId: 'x' })
  const reply = await send(
    running.url,
    'POST',
    '/trpc/cancelOrder',
    '{"body":{"orderId":"x"}}',
    await carol.headers('POST', '/trpc/cancelOrder', '{"body":{"orderId":"x"}}'),
  )
  expect([reply.status, reply.headers.get('ratelimit-remaining')]).toEqual([404, '98'])
})

test('what is no call answers as JSON, without a word about the inside', async () => {
  for (const [method, path, body] of [
    ['GET', '/trpc/nothing', undefined],
    ['POST', '/trpc/placeOrder', '{'],
    ['POST', '/trpc/getOk', '{}'],
    ['GET', '/trpc/getOk,getTime?batch=1&input={}', undefined],
  ] as const) {
    const reply = await send(running.url, method, path, body)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect([path, reply.status >= 400 && reply.status < 500, JSON.stringify(reply.body)]).toEqual([
      path,
      true,
      expect.not.stringMatching(/stack|\.ts/),
    ])
  }
})

test.each([
  ['twice', '{"body":{"orderId":"one","orderId":"two"}}'],
  ['twice, once escaped', String.raw`{"body":{"orderId":"one","order\u0049d":"two"}}`],
  ['twice beside it', '{"body":{"orderId":"one"},"body":{"orderId":"two"}}'],
  ['twice in a leg', '{"body":[{"side":"BUY","side":"SELL"}]}'],
])('a call with a key %s is refused as over REST', async (_, text) => {
  const { status, body } = await alice.call('POST', '/trpc/cancelOrder', text)
  expect(status).toBe(400)
  expect(body.error.data.refusal).toMatchObject({ error: 'Invalid payload: the same key twice', code: 'invalid_payload' })
})

test('the input of a query with a key twice is refused as a body is', async () => {
  const ask = (input: string) => send(running.url, 'GET', `/trpc/getOrderbook?input=${encodeURIComponent(input)}`)
  const twice = await ask(`{"query":{"token_id":"1","token_id":"${market.yes}"}}`)
  expect([twice.status, twice.body.error.data.refusal.error]).toEqual([400, 'Invalid payload: the same key twice'])
  expect((await ask(`{"query":{"token_id":"${market.yes}"}}`)).status).toBe(200)
})
