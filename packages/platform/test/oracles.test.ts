import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Oracle } from '../src/prices/oracle.ts'
import { openOracles } from '../src/prices/oracles.ts'

const M = 60_000
const NOON = Date.UTC(2026, 10, 20, 12)

/** A fake price service, with the requests it received. */
async function service(answer: (url: URL) => unknown): Promise<{ address: string; asked: string[]; keys: (string | undefined)[] }> {
  const asked: string[] = []
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://service.test')
    asked.push(url.pathname + url.search)
    keys.push(request.headers.authorization)
    const value = answer(url)
    if (typeof value === 'number') response.writeHead(value).end()
    else response.end(typeof value === 'string' ? value : JSON.stringify(value))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, keys }
}

const open = (kind: 'candles' | 'updates', url: string, key: string | null = null): Oracle =>
  openOracles({ mode: 'sandbox', oracleA: { kind, url }, oracleAKey: key, oracleB: { kind: 'none' }, oracleBKey: null }).oracle_a!

const PLACES = '/klines?symbol={symbol}&interval={interval}&from={start}&to={end}'
/** A candle as exchanges send it: prices as text, with additional columns. */
const candle = (minutes: number, opening: number, closing: number) => [
  NOON + minutes * M,
  String(opening),
  '1000000',
  '0.5',
  String(closing),
  '12.5',
  NOON + (minutes + 5) * M - 1,
  '1',
  2,
  '3',
  '4',
  '0',
]

test('candles give the settled price at their end', async () => {
  const { address, asked, keys } = await service(() => [candle(-10, 95, 96), candle(-5, 96, 97)])
  const oracle = open('candles', address + PLACES, 'k')
  expect(await oracle.settled('BTC/USD', '5m', NOON - 10 * M, NOON)).toEqual([
    { windowEnd: NOON - 5 * M, price: 96, sourceTimestamp: NOON - 5 * M - 1 },
    { windowEnd: NOON, price: 97, sourceTimestamp: NOON - 1 },
  ])
  expect(asked).toEqual([`/klines?symbol=BTC%2FUSD&interval=5m&from=${NOON - 10 * M}&to=${NOON - 5 * M}`])
  expect(keys).toEqual(['Bearer k'])
  expect(oracle).toMatchObject({ name: '127.0.0.1', simulated: false })
})

test('the current candle gives the current window, not a settled price', async () => {
  const { address } = await service(() => [candle(-5, 96, 97), candle(0, 97, 98)])
  const oracle = open('candles', address + PLACES)
  expect(await oracle.settled('BTC', '5m', NOON - 5 * M, NOON + 2 * M)).toHaveLength(1)
  expect(await oracle.live('BTC', '5m', NOON + 2 * M)).toEqual({
    start: NOON,
    end: NOON + 5 * M,
    openingPrice: 97,
    price: 98,
    timestamp: NOON + 2 * M,
  })
})

test('no request is made when no window has ended', async () => {
  const { address, asked } = await service(() => [])
  expect(await open('candles', address + PLACES).settled('BTC', '5m', NOON, NOON + M)).toEqual([])
  expect(asked).toEqual([])
})

const USELESS: [what: string, answer: unknown, message: RegExp][] = [
  ['a failure', 500, /answers 500$/],
  ['a redirect', 302, /sends elsewhere$/],
  ['no JSON', '<html>', /does not answer in JSON$/],
  ['an object', { error: 'slow down' }, /answers something else/],
  ['a price in words', [[NOON, 'a lot', '1', '1', '1']], /answers something else/],
  ['half a candle', [[NOON, '1']], /answers something else/],
  ['a candle between two windows', [[NOON - 5 * M + 1, '1', '1', '1', '1']], /opens within a window/],
  ['more candles than anybody asked for', Array.from({ length: 2001 }, () => candle(0, 1, 1)), /answers something else/],
]

test.each(USELESS)('%s in place of candles is reported', async (_, answer, message) => {
  const { address } = await service(() => answer)
  await expect(open('candles', address + PLACES).settled('BTC', '5m', NOON - 5 * M, NOON)).rejects.toThrow(message)
})

test('an absurd price of one candle hides no other', async () => {
  const { address } = await service(() => [[NOON - 10 * M, '0', '0', '0', null], candle(-5, 96, 97)])
  const marks = await open('candles', address + PLACES).settled('BTC', '5m', NOON - 10 * M, NOON)
  expect(marks.map(({ price }) => price)).toEqual([0, 97])
})

const ID = `0x${'ab'.repeat(32)}`
/** Updates published at these seconds after noon, with the second as price. */
const updates = (seconds: number[], latest = 0) =>
  service((url) => {
    const [, when] = /\/v2\/updates\/price\/(\w+)$/.exec(url.pathname) ?? []
    const from = when === 'latest' ? latest : Number(when) - NOON / 1000
    const second = when === 'latest' ? latest : seconds.find((each) => each >= from)
    const price = { price: String(1_000_000 + (second ?? 0)), conf: '5', expo: -2, publish_time: NOON / 1000 + (second ?? 0) }
    return second === undefined ? 404 : { binary: { data: [] }, parsed: [{ id: 'ab'.repeat(32), price, ema_price: price, metadata: {} }] }
  })

test.each<[what: string, published: number[], price: number | null, at: number]>([
  ['published at the boundary', [-3, 0, 1], 10_000, 0],
  ['published a second before', [-1, 2], 9_999.99, -1],
  ['published some seconds before', [-4, 2], 9_999.96, -4],
  ['published twice in these seconds', [-4, -3, 2], 9_999.97, -3],
  ['published in most of these seconds', [-11, -9, -8, -6, -5, 1], 9_999.95, -5],
  ['published ten seconds before', [-10, 2], 9_999.9, -10],
  ['silent around the boundary', [-60, 30], null, 0],
])('an oracle that %s', async (_, published, price, at) => {
  const { address, asked } = await updates([...published, 900])
  const marks = await open('updates', address).settled(ID, '5m', NOON - 5 * M, NOON)
  expect(marks).toEqual(price === null ? [] : [{ windowEnd: NOON, price, sourceTimestamp: NOON + at * 1000 }])
  expect(asked[0]).toBe(`/v2/updates/price/${NOON / 1000}?ids%5B%5D=${ID}&parsed=true`)
})

test('the current window of an oracle has its price at the start and its last', async () => {
  const { address } = await updates([0, 90], 90)
  expect(await open('updates', address).live(ID, '5m', NOON + 2 * M)).toEqual({
    ...{ start: NOON, end: NOON + 5 * M, openingPrice: 10_000, price: 10_000.9, timestamp: NOON + 90_000 },
  })
})

test.each<[what: string, answer: unknown, message: RegExp]>([
  ['another feed', { parsed: [{ id: 'cd', price: { price: '1', expo: 0, publish_time: 1 } }] }, /^no price of 0xab/],
  ['nothing parsed', { parsed: [] }, /^no price of/],
  [
    'an older update',
    { parsed: [{ id: ID, price: { price: '1', expo: 0, publish_time: NOON / 1000 - 1 } }] },
    /^an update from before \d+: \d+$/,
  ],
  ['a power beyond reason', { parsed: [{ id: ID, price: { price: '1', expo: 300, publish_time: 1 } }] }, /answers something else/],
])('%s in place of an update is reported', async (_, answer, message) => {
  const { address } = await service(() => answer)
  await expect(open('updates', address).settled(ID, '5m', NOON - 5 * M, NOON)).rejects.toThrow(message)
})

test('a boundary without an update hides no other', async () => {
  const { address } = await service((url) => {
    const second = Number(/\d+$/.exec(url.pathname)![0])
    if (second <= NOON / 1000 - 300) return 404
    return { parsed: [{ id: ID, price: { price: '100', expo: 0, publish_time: second } }] }
  })
  const oracle = open('updates', address)
  expect(await oracle.settled(ID, '5m', NOON - 10 * M, NOON)).toEqual([{ windowEnd: NOON, price: 100, sourceTimestamp: NOON }])
  await expect(oracle.settled(ID, '5m', NOON - 10 * M, NOON - 5 * M)).rejects.toThrow(/answers 404$/)
})

test('the simulated feed is the same for everybody, moves, and is marked as simulated', async () => {
  const settings = { oracleA: { kind: 'simulated' }, oracleAKey: null, oracleB: { kind: 'simulated' }, oracleBKey: null } as const
  const [one, again] = [openOracles({ mode: 'sandbox', ...settings }), openOracles({ mode: 'sandbox', ...settings })]
  const day = (oracle: Oracle | null) => oracle!.settled('BTC/USD', '5m', NOON - 1440 * M, NOON)
  const [a, b] = [await day(one.oracle_a), await day(one.oracle_b)]
  expect(await day(again.oracle_a)).toEqual(a)
  expect(a).toHaveLength(288)
  const ups = a.filter(({ price }, index) => index > 0 && price >= a[index - 1]!.price).length
  expect(ups).toBeGreaterThan(80)
  expect(ups).toBeLessThan(208)
  for (const [index, { price }] of a.entries()) {
    expect(price).toBeGreaterThan(80_000)
    expect(price).toBeLessThan(120_000)
    expect(Math.abs(b[index]!.price / price - 1)).toBeLessThan(0.0005)
  }
  expect(one.oracle_a).toMatchObject({ name: 'Simulated feed A', simulated: true })
  expect(() => openOracles({ mode: 'production', ...settings })).toThrow('ORACLE_A must not be simulated in production')
})

test('in production no request goes to this machine, whatever the settings say', async () => {
  const { address } = await service(() => [])
  const settings = {
    oracleA: { kind: 'candles', url: address + PLACES },
    oracleAKey: null,
    oracleB: { kind: 'none' },
    oracleBKey: null,
  } as const
  const { oracle_a, oracle_b } = openOracles({ mode: 'production', ...settings })
  await expect(oracle_a!.settled('BTC', '5m', NOON - 5 * M, NOON)).rejects.toThrow('only https')
  expect(oracle_b).toBeNull()
})
