import { eventually } from '@augury/testing/eventually'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { NoAnswerError, RefusedError } from '../src/answer.ts'
import { createApiKey } from '../src/api-key.ts'
import type { StreamStatus } from '../src/reconnecting-socket.ts'
import { venueClient } from '../src/rest.ts'
import { openTrading, type Trading, type TradingOptions, tradingUrl } from '../src/trading.ts'
import { exchangeWithMarket } from './exchange.ts'

const bot = privateKeyToAccount(`0x${'0e'.repeat(32)}`)
let exchange: Awaited<ReturnType<typeof exchangeWithMarket>>
let tokenId: string
beforeAll(async () => {
  exchange = await exchangeWithMarket()
  tokenId = (await exchange.operator.listSamplingMarkets()).data[0]!.tokens[0]!.token_id
  await exchange.operator.faucet({ body: { address: bot.address, amount: '1000' } })
})
afterAll(() => exchange?.close())

const bid = (price: string) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size: '10' }) as const

async function trader(more: Partial<TradingOptions> = {}) {
  const apiKey = await createApiKey({ url: exchange.url, wallet: bot })
  const client = venueClient({ url: exchange.url, apiKey })
  const trading = openTrading({ url: tradingUrl(exchange.url), apiKey, client, ...more })
  onTestFinished(() => trading.close())
  return { trading, client, apiKey }
}

test('orders, cancels and heartbeats have the methods and the answers that they have over REST', async () => {
  const { trading, client } = await trader()
  const placed = await trading.placeOrder({ body: bid('0.1') }) // waits for the login
  expect(trading.status).toBe('live')
  expect(await client.getOrder({ params: { id: placed.orderId } })).toMatchObject({ state: 'live', client_order_id: expect.any(String) })
  const replaced = await trading.replaceOrder({ body: { cancel: placed.orderId, order: bid('0.11') } })
  await trading.amendOrder({ body: { orderId: replaced.order.orderId, size: '8' } })
  expect(await trading.cancelOrder({ body: { orderId: replaced.order.orderId } })).toMatchObject({ success: true })
  expect((await trading.postHeartbeat({ body: {} })).heartbeat_id).toMatch(/./)
  expect(await trading.cancelAfter({ body: { timeout_ms: 0 } })).toEqual({ timeout_ms: 0, cancels_at: null })
  const unknown = await trading.cancelOrder({ body: { orderId: '0x12' } }).catch((error: unknown) => error)
  expect(unknown).toBeInstanceOf(RefusedError)
  expect(unknown).toMatchObject({ status: 404, code: 'order_not_found', budget: { RateLimit: expect.stringContaining('cancel') } })
})

test('calls are carried out in the order in which they are made', async () => {
  const { trading } = await trader()
  const placed = Array.from({ length: 20 }, (_, n) => trading.placeOrder({ body: bid(`0.${10 + n}`) }))
  const all = trading.cancelAll()
  const seqs = (await Promise.all(placed)).map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
  expect((await all).canceled).toHaveLength(20)
})

test('a login that is refused ends it, and calls are refused alike', async () => {
  const errors: unknown[] = []
  const { trading } = await trader({
    apiKey: { address: bot.address, key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', secret: btoa('x'.repeat(32)), passphrase: 'x' },
    onError: (error) => errors.push(error),
  })
  await expect(trading.cancelAll()).rejects.toMatchObject({ status: 401, code: 'unknown_key' })
  expect([trading.status, errors]).toEqual(['refused', [expect.objectContaining({ code: 'unknown_key' })]])
  await expect(trading.cancelAll()).rejects.toMatchObject({ status: 401, code: 'unknown_key' })
})

/** A service that logs in everybody, and hands every other frame to the test. */
async function oddService(hear: (frame: { id: number; op: string; body: unknown }, ws: WebSocket, connection: number) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => {
    for (const ws of server.clients) ws.terminate()
    server.close()
  })
  let connections = 0
  server.on('connection', (ws) => {
    const connection = ++connections
    ws.on('message', (data) => {
      if (data.toString() === 'PING') return ws.send('PONG')
      const frame = JSON.parse(data.toString())
      if (frame.op === 'login') ws.send(answer(frame, { account: bot.address, epoch: 1, cancel_on_disconnect: false }))
      else hear(frame, ws, connection)
    })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return `ws://127.0.0.1:${(server.address() as { port: number }).port}`
}
const answer = ({ id, op }: { id: number; op: string }, body: unknown, status = 200) =>
  JSON.stringify({ id, op, status, seq: 1, headers: {}, body })

function openOdd(url: string, more: Partial<TradingOptions> = {}): Trading {
  const apiKey = { address: bot.address, key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', secret: btoa('x'.repeat(32)), passphrase: 'x' }
  const trading = openTrading({ url, apiKey, client: { getTime: async () => 0 }, reconnectMs: 20, ...more })
  onTestFinished(() => trading.close())
  return trading
}

test('what has no answer when the connection is lost is sent again with the same body if that is safe', async () => {
  const heard: { op: string; body: unknown }[] = []
  const url = await oddService((frame, ws, connection) => {
    heard.push({ op: frame.op, body: frame.body })
    if (connection === 1) ws.terminate()
    else ws.send(answer(frame, { canceled: [], not_canceled: {} }))
  })
  const trading = openOdd(url)
  expect(await trading.cancelMarketOrders({ body: { market: `0x${'1'.repeat(64)}` } })).toEqual({ canceled: [], not_canceled: {} })
  expect(heard).toHaveLength(2)
  expect(heard[1]).toEqual(heard[0])
})

test('what is not safe to send again has an unknown outcome; so has what never gets an answer', async () => {
  const ops: string[] = []
  const url = await oddService((frame, ws) => {
    ops.push(frame.op)
    if (frame.op === 'heartbeat') ws.terminate()
  })
  const statuses: StreamStatus[] = []
  const trading = openOdd(url, { timeoutMs: 100, retry: { attempts: 2, pauseMs: 1 }, onStatus: (status) => statuses.push(status) })
  await eventually(() => expect(trading.status).toBe('live'))
  await expect(trading.postHeartbeat({ body: {} })).rejects.toBeInstanceOf(NoAnswerError)
  await eventually(() => expect(statuses).toEqual(['live', 'reconnecting', 'live']))
  await expect(trading.cancelAll()).rejects.toBeInstanceOf(NoAnswerError)
  expect(ops).toEqual(['heartbeat', 'cancel-all', 'cancel-all'])
})

test('an answer that the outcome is unknown is none; without a connection nothing was sent', async () => {
  let left = 1
  const url = await oddService((frame, ws) => {
    const unknown = { error: 'It is not known', code: 'outcome_unknown' }
    ws.send(left-- > 0 ? answer(frame, unknown, 504) : answer(frame, { canceled: ['0x1'], not_canceled: {} }))
  })
  expect((await openOdd(url, { retry: { attempts: 2, pauseMs: 1 } }).cancelAll()).canceled).toEqual(['0x1'])
  const alone = openOdd('ws://127.0.0.1:1', { timeoutMs: 50, retry: { attempts: 1, pauseMs: 0 } })
  await expect(alone.cancelAll()).rejects.toMatchObject({ code: 'service_unavailable' })
  const stopped = AbortSignal.abort(new Error('enough'))
  await expect(alone.cancelAll({}, { signal: stopped })).rejects.toThrow('enough')
})
