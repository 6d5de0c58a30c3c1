import { connect } from 'node:net'
import { clientOrderHash } from '@augury/signing/order-id'
import { expect, test } from 'vitest'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '10')
const market = await registerMarket(running, 'pipelining')

const account = wallets.alice.address.toLowerCase() as `0x${string}`
/** An empty text is a body with a declared length of 0. */
type Request = [method: string, path: string, body?: object | '']

/** A BUY for all that Alice has, under a name of its own. */
const order = () => limit(market.yes, 'BUY', '0.5', '20')
const open = async () =>
  (await alice.call('GET', '/data/orders')).body.data.map(({ original_size }: { original_size: string }) => original_size)

/** A text as it is sent in one chunk. */
const inChunks = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

/**
 * Sends signed requests in one packet of one connection, and returns their statuses in the order of the requests. `ahead` of it goes a
 * packet with so many bytes less than the first request, whose body may be `chunked`.
 */
async function atOnce(requests: Request[], { ahead, chunked = false }: { ahead?: number; chunked?: boolean } = {}): Promise<string[]> {
  const bytes = requests.map(async ([method, path, body], index) => {
    const text = body ? JSON.stringify(body) : ''
    const isChunked = chunked && index === 0
    const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': text.length }
    const content = body === undefined ? {} : { 'content-type': 'application/json', ...length }
    const headers = { host: 'exchange', ...(await alice.headers(method, path, text)), ...content }
    const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(headers).map((header) => header.join(': ')), '']
    return [...lines, isChunked ? inChunks(text) : text].join('\r\n')
  })
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
  const [first = '', ...rest] = await Promise.all(bytes)
  const head = ahead === undefined ? '' : first.slice(0, -ahead)
  if (head !== '') {
    await new Promise((written) => socket.write(head, written))
    await alice.call('GET', '/data/orders') // by then the server has read it
  }
  socket.write([first.slice(head.length), ...rest].join(''))
  let heard = ''
  for await (const chunk of socket) {
    heard += chunk
    const statuses = heard.match(/(?<=HTTP\/1.1 )\d+/g) ?? []
    if (statuses.length === requests.length) return statuses
  }
  throw new Error(`the connection ended: ${heard}`)
}

const cases: [string, (placed: ReturnType<typeof order>) => Request, left: string[]][] = [
  ['the end of all orders', () => ['DELETE', '/cancel-all'], []],
  ['the end of all orders of a market', () => ['DELETE', '/cancel-market-orders', { market: market.condition }], []],
  ['the end of one', ({ clientOrderId }) => ['DELETE', '/order', { orderId: clientOrderHash(account, clientOrderId) }], []],
  ['the end of one by its path', ({ clientOrderId }) => ['DELETE', `/orders/${clientOrderHash(account, clientOrderId)}`], []],
  [
    'the end of one by its path, with a body of no bytes',
    ({ clientOrderId }) => ['DELETE', `/orders/${clientOrderHash(account, clientOrderId)}`, ''],
    [],
  ],
  ['the end of some', ({ clientOrderId }) => ['DELETE', '/orders', [clientOrderHash(account, clientOrderId)]], []],
  ['a change by name', ({ clientOrderId }) => ['PATCH', '/order', { clientOrderId, size: '10' }], ['10']],
]

test.each(cases)('right behind an order that has no answer yet, %s finds it', async (_, next, left) => {
  const placed = order()
  expect(await atOnce([['POST', '/order', placed], next(placed)])).toEqual(['200', '200'])
  expect(await open()).toEqual(left)
  await alice.call('DELETE', '/cancel-all')
})

test.each(cases.slice(0, -1))('an order right behind %s gets what that sets free', async (_, end) => {
  const placed = order()
  expect((await alice.call('POST', '/order', placed)).status).toBe(200)
  expect(await atOnce([end(placed), ['POST', '/order', order()]])).toEqual(['200', '200'])
  expect(await open()).toEqual(['20'])
  await alice.call('DELETE', '/cancel-all')
})

test.each(cases)('right behind the last bytes of an order, %s finds it', async (_, next, left) => {
  const placed = order()
  expect(await atOnce([['POST', '/order', placed], next(placed)], { ahead: 10 })).toEqual(['200', '200'])
  expect(await open()).toEqual(left)
  await alice.call('DELETE', '/cancel-all')
})

test.each(cases)('right behind an order in chunks, %s finds it', async (_, next, left) => {
  for (const ahead of [undefined, 3, 10]) {
    const placed = order()
    expect(await atOnce([['POST', '/order', placed], next(placed)], { ahead, chunked: true })).toEqual(['200', '200'])
    expect(await open()).toEqual(left)
    await alice.call('DELETE', '/cancel-all')
  }
})
