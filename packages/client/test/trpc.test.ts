import { readHeaders, requestHeaders } from '@augury/signing/headers'
import { signingKey } from '@augury/signing/hmac'
import { verifyRequest } from '@augury/signing/request'
import { afterEach, expect, expectTypeOf, test } from 'vitest'
import { NoAnswerError } from '../src/answer.ts'
import type { VenueClient } from '../src/rest.ts'
import { type VenueTrpcClient, venueTrpcClient } from '../src/trpc.ts'
import { type Arrived, type Reply, service } from './service.ts'

const apiKey = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  passphrase: 'p',
}
const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

async function serve(reply: (request: Arrived, count: number) => Reply, mount = '') {
  const running = await service(reply)
  cleanUps.push(running.close)
  const client = venueTrpcClient({ url: running.url + mount, apiKey, retry: { attempts: 3, pauseMs: 1 } })
  return { ...running, client }
}

/** Whether a request's signature is valid, by the server's check. */
function valid(request: Arrived, mount = ''): boolean {
  const read = readHeaders((name) => request.headers[name] as string | undefined, requestHeaders)!
  const [path, query = ''] = request.url.slice(mount.length).split('?')
  const { timestamp, signature } = read.values
  const signed = { timestamp, method: request.method, path: path!, query, body: request.body }
  return verifyRequest(signingKey(apiKey.secret), signed, signature, read.dialect) !== null
}

const result = (data: unknown) => ({ json: { result: { data } } })
const refused = (httpStatus: number, code: string, refusal: object | null): Reply => ({
  status: httpStatus,
  json: { error: { message: 'as tRPC says it', code: -32000, data: { code, httpStatus, refusal } } },
})
const cancelled = { canceled: [], not_canceled: {} }

test('reads are queries, the rest are mutations; both are signed as sent, below any mount', async () => {
  const page = { limit: 100, count: 0, next_cursor: 'LTE=', data: [] }
  const { client, arrived } = await serve(({ method }) => result(method === 'GET' ? page : cancelled), '/clob')
  expect(await client.listOrders.query({ query: { market: '0xAB' } })).toEqual(page)
  expect(await client.cancelMarketOrders.mutate({ body: { asset_id: '12' } })).toEqual(cancelled)
  expect(arrived.map(({ method, url, body }) => [method, decodeURIComponent(url), body.toString()])).toEqual([
    ['GET', '/clob/trpc/listOrders?input={"query":{"market":"0xAB"}}', ''],
    ['POST', '/clob/trpc/cancelMarketOrders', '{"body":{"asset_id":"12"}}'],
  ])
  expect(arrived.map((request) => valid(request, '/clob'))).toEqual([true, true])
})

test('an order without a response is sent again as the same bytes', async () => {
  const { client, arrived } = await serve((_, count) => (count < 3 ? 'drop' : result(cancelled)))
  await client.cancelAll.mutate()
  const bytes = arrived.map(({ headers, body }) => [headers.svc_signature, headers.svc_timestamp, body.toString()].join())
  expect([arrived.length, new Set(bytes).size]).toEqual([3, 1])
})

test.each<[string, Reply, unknown]>([
  [
    'a refusal is what REST says',
    refused(409, 'CONFLICT', { error: 'Order is already filled or cancelled', code: 'order_ended', state: 'filled' }),
    { name: 'RefusedError', status: 409, code: 'order_ended', message: 'Order is already filled or cancelled', body: { state: 'filled' } },
  ],
  ['what failed without a refusal may have been done', refused(500, 'INTERNAL_SERVER_ERROR', null), { name: 'NoAnswerError' }],
  ['an answer is not taken for what it is not', result({ canceled: 'all' }), { name: 'BadAnswerError' }],
])('%s', async (_, reply, error) => {
  const { client } = await serve(() => reply)
  await expect(client.cancelAll.mutate()).rejects.toMatchObject(error as object)
})

test('a service that asks to wait says for how long, as over REST', async () => {
  const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, refusal: { error: '', code: 'read_model_lagging' }, retryAfter: 5 }
  const { client, arrived } = await serve(() => ({ status: 503, json: { error: { message: '', code: -32000, data } } }))
  await expect(client.listOrders.query()).rejects.toMatchObject({ code: 'read_model_lagging', retryAfter: 5 })
  expect(arrived).toHaveLength(1)
})

test('a signal ends a call, and a call has its own time for an answer', async () => {
  const { client, arrived } = await serve(() => 'mute')
  await expect(client.cancelAll.mutate({}, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over')
  expect(arrived).toHaveLength(0)
  await expect(client.cancelAll.mutate({}, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({ name: 'NoAnswerError' })
  expect(arrived).toHaveLength(1)
  await expect(client.postHeartbeat.mutate({ body: { heartbeat_id: '' } }, { timeoutMs: 30 })).rejects.toMatchObject({
    name: 'NoAnswerError',
  })
})

test('a wrong clock is corrected by the server, and reported', async () => {
  const server = 1_710_000_000
  const { url, arrived, close } = await service(({ url: asked, headers }) => {
    if (asked === '/time') return { json: server }
    const stale = Math.abs(Number(headers.svc_timestamp) - server) > 30
    return stale ? refused(401, 'UNAUTHORIZED', { error: 'Unauthenticated', code: 'stale_timestamp' }) : result(cancelled)
  })
  cleanUps.push(close)
  const ahead: number[] = []
  const client = venueTrpcClient({ url, apiKey, now: () => (server - 3600) * 1000, onClock: (ms) => ahead.push(ms) })
  await client.cancelAll.mutate()
  expect(arrived.map((request) => request.url)).toEqual(['/trpc/cancelAll', '/time', '/trpc/cancelAll'])
  expect(ahead).toEqual([3_600_000])
})

test('without a response the outcome is unknown', async () => {
  const client = venueTrpcClient({ url: 'http://127.0.0.1:1', retry: { attempts: 1, pauseMs: 0 } })
  await expect(client.getOk.query()).rejects.toThrow(NoAnswerError)
})

test('its types are those of REST', () => {
  expectTypeOf<VenueTrpcClient['placeOrder']['mutate']>().toEqualTypeOf<VenueClient['placeOrder']>()
  expectTypeOf<VenueTrpcClient['getMarket']['query']>().toEqualTypeOf<VenueClient['getMarket']>()
  // @ts-expect-error a wallet signs for keys, with other headers
  expectTypeOf<VenueTrpcClient['createKey']>()
})
