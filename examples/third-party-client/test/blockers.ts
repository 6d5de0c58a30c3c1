import { OrderType, Side } from '@polymarket/clob-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Bend, bendingProxy, type Passing } from './bending-proxy.ts'
import type { World } from './world.ts'

/**
 * What kept established clients from working against exchanges that were not made for them (exchange.md 6.3). Each fails against an exchange
 * that has the fault, which the negative controls show.
 */

const options = { tickSize: '0.01', negRisk: false } as const

/** The clients of a new trader, at some address of the exchange. */
async function at(w: World, host: string) {
  const { wallet, key, creds } = await w.trader()
  return { v1: w.older(wallet, creds, { host }), v2: w.newer(key, creds, { host }), wallet, creds }
}

type Check = (w: World, host: string, passed: readonly string[]) => Promise<void>
const limit = (w: World, price = 0.1) => ({ tokenID: w.yes, price, size: 10, side: Side.BUY })

const checks: Record<string, Check> = {
  'B1 no body where a client announces JSON': async (w, host) => {
    const { v1, v2, wallet } = await at(w, host)
    expect((await w.older(wallet, undefined, { host }).createApiKey()).key).toBeTypeOf('string')
    for (const client of [v1, v2]) expect(await client.cancelAll()).toMatchObject({ canceled: [] })
  },
  'B2 queries that are not signed': async (w, host) => {
    const { v1, v2 } = await at(w, host)
    for (const client of [v1, v2]) expect(await client.getTrades({ market: w.market })).toEqual([])
    await v1.dropNotifications({ ids: ['1', '2'] })
  },
  'B3 a prefix of the address that is not signed': async (w, host) => {
    const { v1, v2 } = await at(w, `${host}/compat`)
    for (const client of [v1, v2]) expect(await client.getOpenOrders()).toEqual([])
  },
  'B4 lists that end': async (w, host) => {
    const { v1, v2 } = await at(w, host)
    await v1.createAndPostOrder(limit(w), options)
    for (const client of [v1, v2]) expect(await client.getOpenOrders()).toHaveLength(1)
    await v1.cancelAll()
  },
  'B5 books with the best level last': async (w, host) => {
    const { v1, v2 } = await at(w, host)
    for (const price of [0.02, 0.03]) await v1.createAndPostOrder(limit(w, price), options)
    const best = Math.max(...(await v1.getOrderBook(w.yes)).bids.map(({ price }) => Number(price)))
    for (const client of [v1, v2])
      expect(await client.calculateMarketPrice(w.yes, Side.SELL as never, 1, OrderType.FOK as never)).toBe(best)
    await v1.cancelAll()
  },
  'B6 facts about markets that newer clients need, and 404 of unknown tokens': async (w, host) => {
    const { v1, v2 } = await at(w, host)
    expect([await v2.getTickSize(w.yes), await v2.getNegRisk(w.yes)]).toEqual(['0.01', false])
    expect(await v2.getClobMarketInfo(w.market)).toMatchObject({ mts: 0.01, t: [{ t: w.yes }, { t: w.no }] })
    expect(await w.status(v1.getTickSize('12'))).toBe(404)
  },
  'B7 B17 market orders that are settled when they are answered, whatever floats make of their amounts': async (w, host, passed) => {
    const [maker, taker] = [await at(w, host), await at(w, host)]
    await maker.v1.createAndPostOrder({ tokenID: w.no, price: 0.48, size: 100, side: Side.BUY }, options)
    const before = passed.length
    const buy = await taker.v2.createAndPostMarketOrder(
      { tokenID: w.yes, amount: 20, price: 0.52, side: Side.BUY as never },
      options,
      OrderType.FAK as never,
    )
    expect(buy).toMatchObject({ success: true, status: 'matched', takingAmount: '38.46', makingAmount: '19.9992' })
    expect(passed.slice(before)).not.toContain('GET /data/trades')
    await maker.v1.cancelAll()
  },
  'B8 B18 orders and logins in the established domains': async (w, host) => {
    const { v1, v2 } = await at(w, host)
    const placed = [await v1.createAndPostOrder(limit(w), options), await v2.createAndPostOrder(limit(w) as never, options)] as {
      status: string
    }[]
    expect(placed.map(({ status }) => status)).toEqual(['live', 'live'])
    await v1.cancelAll()
  },
  'B9 no fee that clients must sign': async (w, host) => {
    const { v1 } = await at(w, host)
    expect(await v1.getFeeRateBps(w.yes)).toBe(0)
    expect((await v1.createOrder(limit(w), options)).feeRateBps).toBe('0')
  },
  'B10 cancels under both spellings of the id': async (w, host) => {
    const { v1, v2 } = await at(w, host)
    for (const client of [v1, v2]) {
      const { orderID } = await w.place(client, limit(w), options)
      expect(await client.cancelOrder({ orderID })).toMatchObject({ canceled: [orderID], not_canceled: {} })
    }
  },
  'B11 no key error in a success': async (w, host) => {
    const { v1 } = await at(w, host)
    const answer = await v1.createAndPostOrder(limit(w), options)
    expect(answer).toMatchObject({ success: true })
    expect(answer).not.toHaveProperty('error')
    await v1.cancelAll()
  },
  'B13 the same order twice is one': async (w, host) => {
    const { v1 } = await at(w, host)
    const order = await v1.createOrder(limit(w), options)
    expect((await v1.postOrder(order)).orderID).toBe((await v1.postOrder(order)).orderID)
    await v1.cancelAll()
  },
  'B16 signed reads that would take compressed answers': async (w, host) => {
    const { v1 } = await at(w, host)
    expect((await v1.getApiKeys()).apiKeys.length).toBeGreaterThan(0)
  },
}

const isSigned = ({ headers }: Passing) => headers.poly_api_key !== undefined
const refused = { status: 401, body: { error: 'Unauthorized/Invalid api key' } }
/** The faults, put back. */
const faults: Record<string, Bend> = {
  'B1 no body where a client announces JSON': {
    answer: ({ headers, body }) =>
      headers['content-type'] === 'application/json' && body === '' ? { status: 400, body: { error: 'empty' } } : null,
  },
  'B2 queries that are not signed': { answer: (one) => (isSigned(one) && one.path.includes('?') ? refused : null) },
  'B3 a prefix of the address that is not signed': { answer: (one) => (isSigned(one) && one.path.startsWith('/compat/') ? refused : null) },
  'B4 lists that end': { change: ({ path }, body) => (path.startsWith('/data/orders') ? body.data : null) },
  'B5 books with the best level last': {
    change: ({ path }, body) =>
      path.startsWith('/book?') ? { ...body, bids: body.bids.toReversed(), asks: body.asks.toReversed() } : null,
  },
  'B6 facts about markets that newer clients need, and 404 of unknown tokens': {
    answer: ({ path }) => (path.startsWith('/clob-markets/') ? { status: 404, body: { error: 'Not found' } } : null),
  },
  'B7 B17 market orders that are settled when they are answered, whatever floats make of their amounts': {
    change: ({ method, path }, body) => (method === 'POST' && path === '/order' ? { ...body, transactionsHashes: [] } : null),
  },
  'B9 no fee that clients must sign': { change: ({ path }, body) => (path.startsWith('/fee-rate') ? { ...body, base_fee: 30 } : null) },
  'B11 no key error in a success': {
    change: ({ method, path }, body) => (method === 'POST' && path === '/order' ? { ...body, error: '' } : null),
  },
}

/** Every blocker as a test of its own, and the negative controls. */
export function blockerConformance(worldOf: () => World): void {
  let w: World
  beforeAll(() => {
    w = worldOf()
  })

  describe('X1 blockers', () => {
    test.each(Object.keys(checks))('%s', async (name) => {
      const proxy = await bendingProxy(w.url)
      try {
        await checks[name]!(w, proxy.url, proxy.passed)
      } finally {
        proxy.close()
      }
    })

    test.each(Object.keys(faults))('negative control: %s, put back, is noticed', async (name) => {
      const proxy = await bendingProxy(w.url, faults[name])
      try {
        await expect(checks[name]!(w, proxy.url, proxy.passed)).rejects.toThrow()
      } finally {
        proxy.close()
      }
    })
  })
}
