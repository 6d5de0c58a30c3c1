import { derivedWallets } from '@augury/signing/derived-wallets'
import { loginTypedData } from '@augury/signing/login'
import { eventually } from '@augury/testing/eventually'
import { OrderType, Side } from '@polymarket/clob-client'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { condition } from './exchange.ts'
import type { Trading, World } from './world.ts'

const options = { tickSize: '0.01', negRisk: false } as const

/** What of exchange.md 6.4 `calls.ts` and `order-calls.ts` leave: ids of orders, wallets, limits, heartbeats, history, and what is not offered. */
export function furtherConformance(worldOf: () => World): void {
  let w: World
  beforeAll(() => {
    w = worldOf()
  })
  const bid = (price: number, size = 10, tokenID = w.yes) => ({ tokenID, price, size, side: Side.BUY })

  describe('logins', () => {
    test('A1 A3 for another chain, or by a stale clock, are refused', async () => {
      const { wallet, creds, url } = { ...(await w.trader('0')), url: w.url }
      const other = { ...w, chain: 1 } // a sandbox serves 137 and 80002
      const { ClobClient } = await import('@polymarket/clob-client')
      await expect(
        new ClobClient(
          url,
          other.chain as never,
          wallet,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          true,
        ).createApiKey(),
      ).rejects.toMatchObject({ status: 401 })
      for (const [skew, status] of [
        [-31, 401],
        [60, 401],
        [-20, 200],
        [20, 200],
      ] as const) {
        const { createL2Headers } = await import('@polymarket/clob-client/dist/headers/index.js')
        const headers = await createL2Headers(
          wallet,
          creds,
          { method: 'GET', requestPath: '/data/orders' },
          Math.floor(Date.now() / 1000) + skew,
        )
        expect((await fetch(`${w.url}/data/orders`, { headers: headers as never })).status).toBe(status)
      }
    })
  })

  describe('orders', () => {
    test('O1 have the id that their signer computes', async () => {
      const { v1, v2 } = await w.trader()
      for (const client of [v1, v2]) {
        const placed = await w.place(client, bid(0.1), options)
        expect([placed.status, placed.orderID]).toEqual(['live', expect.stringMatching(/^0x[0-9a-f]{64}$/)])
        expect(await client.getOrder(placed.orderID)).toMatchObject({ id: placed.orderID, status: 'LIVE' })
      }
      expect((await v2.getOpenOrders()).map(({ price }: { price: string }) => price)).toEqual(['0.1', '0.1'])
      await v2.cancelAll()
    })

    test('O10 of versions 1, 2 and 3 are accepted, in plain and neg-risk markets', async () => {
      const { v1, v2 } = await w.trader()
      const negRisk = { tickSize: '0.01', negRisk: true } as const
      const third = await v2.createExchangeV3OrderFromAmounts({
        tokenID: w.yes,
        makerAmount: '1000000',
        takerAmount: '10000000',
        side: Side.BUY as never,
      })
      const placed = [
        await v1.createAndPostOrder(bid(0.1), options),
        await v1.createAndPostOrder(bid(0.1, 10, w.negRiskYes), negRisk),
        await v2.createAndPostOrder(bid(0.1) as never, options),
        await v2.createAndPostOrder(bid(0.1, 10, w.negRiskYes) as never, negRisk),
        await v2.postOrder(third),
      ] as { status: string }[]
      expect(placed.map(({ status }) => status)).toEqual(Array(5).fill('live'))
      await v1.cancelAll()
    })

    /** Registers a contract wallet of a trader, with a login that names it. */
    async function register({ key }: Trading, address: string, kind: number) {
      const path = `/auth/wallets/${address}/${kind}`
      const owner = privateKeyToAccount(key)
      const timestamp = String(Math.floor(Date.now() / 1000))
      const host = new URL(w.exchange.url).host
      const login = { chainId: w.chain, address: owner.address, host, method: 'POST' as const, path, timestamp, nonce: 0n }
      const SVC_SIGNATURE = await owner.signTypedData(loginTypedData(login))
      const headers = { SVC_ADDRESS: owner.address, SVC_TIMESTAMP: timestamp, SVC_NONCE: '0', SVC_SIGNATURE }
      expect((await fetch(w.url + path, { method: 'POST', headers })).status).toBe(200)
    }

    test.each([
      [1, ['older', 'newer']],
      [2, ['older', 'newer']],
      [3, ['newer']],
    ] as const)('O10 B15 of wallets of kind %i are accepted when their owner registered them', async (kind, clients) => {
      const trading = await w.trader()
      const funder = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`
      const desks = {
        older: w.older(trading.wallet, trading.creds, { signatureType: kind, funder }),
        newer: w.newer(trading.key, trading.creds, { signatureType: kind, funder }),
      }
      for (const name of clients) await expect(w.place(desks[name], bid(0.1), options)).rejects.toMatchObject({ status: 403 })
      await register(trading, funder, kind)
      for (const name of clients) {
        const placed = await w.place(desks[name], bid(0.1), options)
        expect(placed.status).toBe('live')
        const order = (await trading.v1.getOrder(placed.orderID)) as { maker_address: string }
        expect(order.maker_address.toLowerCase()).toBe(funder)
      }
      const stranger = await w.trader()
      await expect(
        w.newer(stranger.key, stranger.creds, { signatureType: kind, funder }).createAndPostOrder(bid(0.1) as never, options),
      ).rejects.toMatchObject({ status: 400 })
      await trading.v1.cancelAll()
    })

    test('O10 of the wallets that clients derive from their key are accepted unregistered; another wallet gets the error that says how to register', async () => {
      const trading = await w.trader()
      const host = `${w.url}/compat`
      for (const { address: funder, signatureType } of derivedWallets(trading.wallet.address as `0x${string}`)) {
        const choice = { host, signatureType, funder }
        const newer = w.newer(trading.key, trading.creds, choice)
        const clients = signatureType === 3 ? [newer] : [newer, w.older(trading.wallet, trading.creds, choice)]
        for (const client of clients) {
          const placed = await w.place(client, bid(0.1), options)
          expect([signatureType, placed.status]).toEqual([signatureType, 'live'])
          const order = (await trading.v1.getOrder(placed.orderID)) as { maker_address: string }
          expect(order.maker_address.toLowerCase()).toBe(funder)
          const { balance } = await client.getBalanceAllowance({ asset_type: 'COLLATERAL' as never })
          expect(balance).toBe('1000000000')
          await trading.v1.cancelAll()
        }
        const stranger = w.newer(trading.key, trading.creds, { ...choice, funder: `0x${'12'.repeat(20)}` })
        await expect(w.place(stranger, bid(0.1), options)).rejects.toThrow('register it with POST /auth/wallets/{address}/{signature_type}')
      }
    })

    test('O3 mint, merge and pass from hand to hand, and one order may do all of it', async () => {
      const [a, b, c] = await Promise.all([w.trader(), w.trader(), w.trader()])
      const place = ({ v1 }: Trading, tokenID: string, side: Side, price: number, size: number) =>
        v1.createAndPostOrder({ tokenID, side, price, size }, options)
      /** Millionths that back the market's tokens, once history knows what happened until now. */
      const interest = async ({ v1 }: Trading) => {
        await v1.getTrades()
        const [{ value }] = (await (await fetch(`${w.url}/oi?market=${w.market}`)).json()) as [{ value: number }]
        return Math.round(value * 1e6)
      }
      const before = await interest(a)
      await place(a, w.no, Side.BUY, 0.45, 30)
      await place(b, w.no, Side.BUY, 0.46, 50)
      expect(await place(c, w.yes, Side.BUY, 0.56, 80)).toMatchObject({ status: 'matched', takingAmount: '80', makingAmount: '43.5' }) // 50 at .54, 30 at .55
      await place(c, w.yes, Side.SELL, 0.55, 20)
      expect(await place(a, w.no, Side.SELL, 0.4, 20)).toMatchObject({ status: 'matched', makingAmount: '20', takingAmount: '9' }) // merged
      await place(b, w.no, Side.BUY, 0.44, 10)
      await place(c, w.yes, Side.SELL, 0.55, 10)
      expect(await place(a, w.yes, Side.BUY, 0.57, 20)).toMatchObject({ status: 'matched', takingAmount: '20', makingAmount: '11.1' }) // 10 direct at .55, 10 minted at .56
      const cash = await Promise.all(
        [a, b, c].map(async ({ v1 }) => Number((await v1.getBalanceAllowance({ asset_type: 'COLLATERAL' as never })).balance)),
      )
      expect(cash.reduce((sum, micros) => sum + micros, 0) + (await interest(a)) - before).toBe(3_000_000_000) // what left them is locked
      for (const { v1 } of [a, b, c]) await v1.cancelAll()
    })
  })

  test('M4 calculateMarketPrice finds the worst price that an amount reaches, and throws beyond the book', async () => {
    const { v1, v2 } = await w.trader()
    const token = w.negRiskYes
    const negRisk = { tickSize: '0.01', negRisk: true } as const
    for (const price of [0.2, 0.3, 0.4]) await v1.createAndPostOrder(bid(price, 10, token), negRisk)
    for (const client of [v1, v2]) {
      const sell = (shares: number) => client.calculateMarketPrice(token, Side.SELL as never, shares, OrderType.FOK as never)
      expect([await sell(10), await sell(10.01), await sell(30)]).toEqual([0.4, 0.3, 0.2])
      await expect(sell(30.01)).rejects.toThrow('no match')
    }
    await v1.cancelAll()
  })

  test.each(['1h', '6h', '1d', '1w', 'max'])('M2 there is a price history of %s, and the tape', async (interval) => {
    const { v1, v2 } = await w.trader('0')
    for (const client of [v1, v2]) {
      const { history } = (await client.getPricesHistory({ market: w.yes, interval: interval as never })) as unknown as {
        history: { t: number; p: number }[]
      }
      expect(history.at(-1)).toEqual({ t: expect.any(Number), p: expect.any(Number) })
    }
    expect(await v1.getMarketTradesEvents(w.market)).toEqual(expect.any(Array))
  })

  test('C1 under /compat what cannot be cancelled is answered with 200', async () => {
    const host = `${w.url}/compat`
    const [{ wallet, key, creds }, stranger] = await Promise.all([w.trader(), w.trader()])
    const others = w.older(stranger.wallet, stranger.creds, { host })
    for (const client of [w.older(wallet, creds, { host }), w.newer(key, creds, { host })]) {
      const { orderID } = await w.place(client, bid(0.1), options)
      expect(await others.cancelOrder({ orderID })).toEqual({ canceled: [], not_canceled: { [orderID]: 'order not found' } })
      const [book] = await client.getOrderBooks([{ token_id: w.yes, side: Side.BUY as never }])
      expect(book).toEqual(await client.getOrderBook(w.yes))
      expect(await client.cancelOrder({ orderID })).toEqual({ canceled: [orderID], not_canceled: {} })
      const again = { canceled: [], not_canceled: { [orderID]: 'already canceled or matched' } }
      expect([await client.cancelOrder({ orderID }), await client.cancelOrders([orderID])]).toEqual([again, again])
      await expect(w.place(client, bid(0.1, 1), options)).rejects.toMatchObject({ status: 400 })
    }
  })

  test('C2 the hundred and first cancel within a minute is one too many, and to cancel all is never', async () => {
    const { v1 } = await w.trader()
    await v1.createAndPostOrder(bid(0.1), options)
    const answers = await Promise.all(Array.from({ length: 101 }, () => w.status(v1.cancelOrder({ orderID: `0x${'12'.repeat(32)}` }))))
    expect(answers.filter((status) => status === 429)).toHaveLength(1)
    expect(((await v1.cancelAll()) as { canceled: string[] }).canceled).toHaveLength(1)
  })

  test('C3 heartbeats are a chain: a stale one gets the right id, and silence cancels everything', { timeout: 90_000 }, async () => {
    const { v1, v2 } = await w.trader()
    const first = await v1.postHeartbeat(null)
    const second = await v2.postHeartbeat(first.heartbeat_id)
    expect(second.heartbeat_id).not.toBe(first.heartbeat_id)
    await expect(v1.postHeartbeat(first.heartbeat_id)).rejects.toMatchObject({ status: 400, data: { heartbeat_id: second.heartbeat_id } })
    const { orderID } = await w.place(v1, bid(0.1), options)
    await eventually(async () => expect(await v1.getOrder(orderID)).toMatchObject({ status: 'CANCELED', cancel_reason: 'heartbeat' }))
  })

  test('Q2 T1 notifications, and what is not offered, are answered', async () => {
    const { v1, v2 } = await w.trader()
    expect([await v1.getNotifications(), await v2.getNotifications()]).toEqual([[], []])
    await v1.dropNotifications({ ids: ['1', '2'] })
    expect([await v1.dropNotifications(), await v2.dropNotifications()]).toEqual(['OK', 'OK']) // all of them
    expect(await v1.isOrderScoring({ order_id: '0x12' })).toEqual({ scoring: false })
    expect(await v1.getEarningsForUserForDay('2026-01-01')).toEqual([])
    expect([await v1.getCurrentRewards(), await v2.getPreMigrationOrders()]).toEqual([[], []])
    await expect(v1.createBuilderApiKey()).rejects.toMatchObject({ status: 501 })
    await expect(v1.rfq.rfqConfig()).rejects.toMatchObject({ status: 501 })
  })

  test('Q1 more than a hundred trades come page by page', async () => {
    const [maker, taker] = await Promise.all([w.trader(), w.trader()])
    await maker.v1.createAndPostOrder({ tokenID: w.no, price: 0.5, size: 600, side: Side.BUY }, options)
    for (let batch = 0; batch < 7; batch++) {
      const orders = await Promise.all(Array.from({ length: 15 }, () => taker.v1.createOrder(bid(0.5, 5), options)))
      const placed = (await taker.v1.postOrders(orders.map((order) => ({ order, orderType: OrderType.GTC })))) as { status: string }[]
      expect(placed.map(({ status }) => status)).toEqual(Array(15).fill('matched'))
    }
    for (const client of [taker.v1, taker.v2, maker.v1]) {
      const trades = await client.getTrades()
      expect([trades.length, new Set(trades.map(({ id }) => id)).size]).toEqual([105, 105])
    }
    await maker.v1.cancelAll()
  })

  test('M1 more than a hundred markets come page by page', async () => {
    const { v1, v2 } = await w.trader('0')
    const bodies = Array.from({ length: 101 }, (_, index) => condition(`market-${index}`))
    await Promise.all(bodies.map((body) => w.exchange.operator.registerCondition({ body })))
    for (const client of [v1, v2]) {
      const first = await client.getMarkets()
      const second = await client.getMarkets(first.next_cursor)
      expect([first.count, second.count, second.next_cursor]).toEqual([100, 3, 'LTE='])
    }
  })
}
