import { readHeaders, requestHeaders } from '@augury/signing/headers'
import { signingKey } from '@augury/signing/hmac'
import { verifyRequest } from '@augury/signing/request'
import { afterEach, describe, expect, test } from 'vitest'
import { BadAnswerError, NoAnswerError, RefusedError } from '../src/answer.ts'
import { venueClient } from '../src/rest.ts'
import { type Arrived, type Reply, service } from './service.ts'

const apiKey = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  passphrase: 'p',
}
const retry = { attempts: 3, pauseMs: 1 }
const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

async function serve(reply: (request: Arrived, count: number) => Reply, mount = '') {
  const running = await service(reply)
  cleanUps.push(running.close)
  return { ...running, client: venueClient({ url: running.url + mount, apiKey, retry }) }
}

/** Whether a request's signature is valid, by the server's check. */
function valid(request: Arrived, mount = ''): boolean {
  const read = readHeaders((name) => request.headers[name] as string | undefined, requestHeaders)!
  const [path, query = ''] = request.url.slice(mount.length).split('?')
  const { timestamp, signature } = read.values
  const signed = { timestamp, method: request.method, path: path!, query, body: request.body }
  return verifyRequest(signingKey(apiKey.secret), signed, signature, read.dialect) !== null
}

const cancelled = { canceled: [], not_canceled: {} }

describe('a call', () => {
  test('carries parameters in the path, the query and the body, and a valid signature', async () => {
    const page = { limit: 100, count: 0, next_cursor: 'LTE=', data: [] }
    const { client, arrived } = await serve(({ method }) => ({ json: method === 'GET' ? page : cancelled }), '/clob')
    await client.listOrders({ query: { market: '0xAB', maker: apiKey.address } })
    await client.cancelMarketOrders({ body: { asset_id: '12' } })
    await client.cancelAll()
    expect(arrived.map(({ method, url, body }) => [method, url, body.toString()])).toEqual([
      ['GET', `/clob/data/orders?market=0xAB&maker=${apiKey.address}`, ''],
      ['DELETE', '/clob/cancel-market-orders', '{"asset_id":"12"}'],
      ['DELETE', '/clob/cancel-all', ''],
    ])
    expect(arrived.map((request) => valid(request, '/clob'))).toEqual([true, true, true])
  })

  test('escapes parameters in the path, and signs the escaped path', async () => {
    const { client, arrived } = await serve(() => ({ status: 404, json: { error: 'Order not found', code: 'order_not_found' } }))
    await expect(client.cancelOrderById({ params: { id: 'a/b?c' } })).rejects.toThrow('Order not found')
    expect(arrived[0]!.url).toBe('/orders/a%2Fb%3Fc')
    expect(valid(arrived[0]!)).toBe(true)
  })

  test('repeats a key of the query that has several values', async () => {
    const { client, arrived } = await serve(() => ({ json: [] }))
    await client.getLastTradesPrices({ query: { token_id: ['1', '2'] } })
    expect(arrived[0]!.url).toBe('/last-trades-prices?token_id=1&token_id=2')
    expect(arrived[0]!.headers).not.toHaveProperty('svc_signature')
  })

  test('needs an API key when the operation does', async () => {
    await expect(venueClient({ url: 'http://127.0.0.1:1' }).cancelAll()).rejects.toThrow('needs an API key')
  })

  test('drops fields that it does not know, which a newer server may send', async () => {
    const { client } = await serve(() => ({ json: { spread: '0.02', colour: 'blue' } }))
    expect(await client.getSpread({ query: { token_id: '1' } })).toEqual({ spread: '0.02' })
  })

  test('rejects an answer that does not fit its schema', async () => {
    const { client } = await serve(() => ({ json: { spread: 2 } }))
    await expect(client.getSpread({ query: { token_id: '1' } })).rejects.toThrow(BadAnswerError)
  })
})

describe('a refusal', () => {
  test('has the status, code, details, extras and Retry-After of the answer', async () => {
    const json = { error: 'Too Many Requests', code: 'rate_limited', details: { left: 0 }, orderID: '0x1' }
    const { client } = await serve(() => ({ status: 429, json, headers: { 'retry-after': '7' } }))
    const refusal = await client.cancelOrder({ body: { orderId: 'a' } }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RefusedError)
    expect(refusal).toMatchObject({
      message: 'Too Many Requests',
      status: 429,
      code: 'rate_limited',
      details: { left: 0 },
      retryAfter: 7,
      body: json,
    })
  })
})

describe('a redirect', () => {
  test.each([301, 302, 307, 308])('of status %i is refused, and the key is not sent elsewhere', async (status) => {
    const elsewhere = await serve(() => ({ json: cancelled }))
    const { client, arrived } = await serve(({ url }) => ({ status, json: '', headers: { location: elsewhere.url + url } }))
    const refusal = await client.cancelAll().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'RefusedError', status, message: expect.stringContaining(elsewhere.url) })
    expect([arrived.length, elsewhere.arrived.length]).toEqual([1, 0])
  })
})

describe('sending again', () => {
  const order = { tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '5' } as const

  test.each<[string, Reply]>([
    ['a cut connection', 'drop'],
    ['a service that is busy', { status: 503, json: { error: '', code: 'overloaded' } }],
    ['a gateway without a server', { status: 502, json: '' }],
    ['a proxy that is busy', { status: 503, json: { message: 'no healthy upstream' } }],
  ])('happens after %s, with the same bytes', async (_, first) => {
    const { client, arrived } = await serve((_, count) => (count < 3 ? first : { json: cancelled }))
    await client.cancelMarketOrders({ body: { market: '0x1' } })
    expect(arrived).toHaveLength(3)
    const bytes = arrived.map(({ method, url, headers, body }) => [
      method,
      url,
      headers.svc_signature,
      headers.svc_timestamp,
      body.toString(),
    ])
    expect(new Set(bytes.map(String)).size).toBe(1)
  })

  test.each<[string, Reply]>([
    ['a decision', { status: 503, json: { error: '', code: 'cancel_only' } }],
    ['a refusal', { status: 400, json: { error: '', code: 'insufficient_balance' } }],
    ['a failure inside', { status: 500, json: { error: '', code: 'internal_error' } }],
  ])('does not happen after %s', async (_, reply) => {
    const { client, arrived } = await serve(() => reply)
    await expect(client.placeOrder({ body: order })).rejects.toThrow(RefusedError)
    expect(arrived).toHaveLength(1)
  })

  test('does not happen for operations that would take effect twice', async () => {
    const { client, arrived } = await serve(() => 'drop')
    await expect(client.faucet({ body: { address: apiKey.address, amount: '1' } })).rejects.toThrow(NoAnswerError)
    expect(arrived).toHaveLength(1)
  })

  test.each<[string, Reply]>([
    ['the connection is cut', 'drop'],
    ['a gateway gave up', { status: 504, json: '' }],
    ['a proxy lost the server after it had the request', { status: 503, json: 'upstream connect error or disconnect/reset' }],
    ['a network waited long enough', { status: 524, json: '<html>A timeout occurred</html>' }],
  ])('ends with an unknown outcome when %s each time', async (_, reply) => {
    const { client, arrived } = await serve(() => reply)
    await expect(client.placeOrder({ body: order })).rejects.toThrow(NoAnswerError)
    expect(arrived).toHaveLength(3)
  })

  test.each<[string, Reply]>([
    ['a refusal as stale', { status: 401, json: { error: '', code: 'stale_timestamp' } }],
    ['a refusal by the rate limit', { status: 429, json: { error: '', code: 'rate_limited' } }],
    ['a refusal as overloaded', { status: 503, json: { error: '', code: 'overloaded' } }],
  ])('after a lost answer, %s leaves the outcome unknown, and the order is not signed again', async (_, later) => {
    const { client, arrived } = await serve(({ url }, count) => (url === '/time' ? { json: 1_710_000_000 } : count === 1 ? 'drop' : later))
    await expect(client.placeOrder({ body: order })).rejects.toThrow(NoAnswerError)
    expect(new Set(arrived.map(({ url, headers }) => `${url} ${headers.svc_signature}`)).size).toBe(1)
  })

  test('after a lost answer, a decision about the same order is the outcome, as the exchange compares ids first', async () => {
    const refusal = { status: 400, json: { error: '', code: 'insufficient_balance' } }
    const { client } = await serve((_, count) => (count === 1 ? 'drop' : refusal))
    await expect(client.placeOrder({ body: order })).rejects.toMatchObject({ code: 'insufficient_balance' })
  })
})

describe('a service that asks to wait', () => {
  const overloaded = (seconds: number): Reply => ({
    status: 503,
    json: { error: '', code: 'overloaded' },
    headers: { 'retry-after': String(seconds) },
  })

  test('is not asked before that', async () => {
    const at: number[] = []
    const { client } = await serve((_, count) => {
      at.push(performance.now())
      return count === 1 ? overloaded(1) : { json: cancelled }
    })
    await client.cancelAll()
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(1000)
  })

  test('for longer than the caller waits is a refusal at once', async () => {
    const { client, arrived } = await serve(() => overloaded(5))
    await expect(client.cancelAll()).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 })
    expect(arrived).toHaveLength(1)
  })

  test.each([
    [999, 1],
    [1000, 2],
  ])('for a second is asked by a caller who waits %i ms %i times', async (patienceMs, times) => {
    const { url, arrived } = await serve(() => overloaded(1))
    const client = venueClient({ url, apiKey, retry: { attempts: 2, pauseMs: 1, patienceMs } })
    await expect(client.cancelAll()).rejects.toMatchObject({ code: 'overloaded' })
    expect(arrived).toHaveLength(times)
  })
})

describe('a signal', () => {
  const order = { tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '5' } as const
  const mute: Reply = 'mute'

  test('that is over before the call sends nothing, and its reason is thrown', async () => {
    const { client, arrived } = await serve(() => ({ json: cancelled }))
    await expect(client.cancelAll({}, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over')
    expect(arrived).toHaveLength(0)
  })

  test('ends a call that is not answered, once, with an unknown outcome', async () => {
    const giveUp = new AbortController()
    const { client, arrived } = await serve(() => {
      giveUp.abort(new Error('over'))
      return mute
    })
    const error = await client.placeOrder({ body: order }, { signal: giveUp.signal }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'NoAnswerError', cause: { message: 'over' } })
    expect(arrived).toHaveLength(1)
  })

  test('ends the pause before another attempt: a refusal stays one', async () => {
    const giveUp = new AbortController()
    const { url, arrived } = await serve(() => ({ status: 503, json: { error: '', code: 'overloaded' } }))
    const client = venueClient({ url, apiKey, retry: { attempts: 3, pauseMs: 60_000 } })
    const placed = client.placeOrder({ body: order }, { signal: giveUp.signal })
    await expect.poll(() => arrived.length).toBe(1)
    setTimeout(() => giveUp.abort(), 20)
    await expect(placed).rejects.toMatchObject({ code: 'overloaded' })
    expect(arrived).toHaveLength(1)
  })

  test('is not needed where a call has its own time for an answer', async () => {
    const { url } = await serve(() => mute)
    const client = venueClient({ url, retry: { attempts: 1, pauseMs: 0 } })
    await expect(client.getOk({}, { timeoutMs: 20 })).rejects.toMatchObject({ name: 'NoAnswerError', cause: { name: 'TimeoutError' } })
  })
})

describe('a clock that is wrong', () => {
  const stale = { status: 401, json: { error: 'Unauthenticated', code: 'stale_timestamp' } }

  test('is corrected from the server’s time, once', async () => {
    const server = 1_710_000_000
    const { url, arrived } = await serve(({ url, headers }) => {
      if (url === '/time') return { json: server }
      return Math.abs(Number(headers.svc_timestamp) - server) > 30 ? stale : { json: cancelled }
    })
    const client = venueClient({ url, apiKey, retry, now: () => (server - 3600) * 1000 })
    await client.cancelAll()
    await client.cancelAll()
    expect(arrived.map((request) => request.url)).toEqual(['/cancel-all', '/time', '/cancel-all', '/cancel-all'])
  })

  test('is corrected once for all concurrent calls, which are sent again', async () => {
    const server = 1_710_000_000
    const { url, arrived } = await serve(({ url, headers }) => {
      if (url === '/time') return { json: server }
      return Math.abs(Number(headers.svc_timestamp) - server) > 30 ? stale : { json: cancelled }
    })
    const client = venueClient({ url, apiKey, retry, now: () => (server - 3600) * 1000 })
    expect(await Promise.all(Array.from({ length: 5 }, () => client.cancelAll()))).toEqual(Array(5).fill(cancelled))
    expect(arrived.filter(({ url }) => url === '/cancel-all')).toHaveLength(10)
  })

  test('stays a refusal when the server’s time cannot be read, as nothing took effect', async () => {
    const { client } = await serve(({ url }) => (url === '/time' ? 'drop' : stale))
    await expect(client.cancelAll()).rejects.toMatchObject({ name: 'RefusedError', code: 'stale_timestamp' })
  })

  test('is not learned from what is no time, such as the page of a proxy', async () => {
    const { client, arrived } = await serve(({ url }) => (url === '/time' ? { json: { page: 'Log in' } } : stale))
    for (const _ of [1, 2]) await expect(client.cancelAll()).rejects.toMatchObject({ code: 'stale_timestamp' })
    for (const { url, headers } of arrived) if (url !== '/time') expect(headers.svc_timestamp).toMatch(/^\d+$/)
  })

  test('is not assumed when both clocks agree', async () => {
    const { client, arrived } = await serve(({ url }) => (url === '/time' ? { json: Math.round(Date.now() / 1000) } : stale))
    await expect(client.cancelAll()).rejects.toMatchObject({ code: 'stale_timestamp' })
    expect(arrived).toHaveLength(2)
  })
})
