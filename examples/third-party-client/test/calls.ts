import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { AssetType, ClobClient, OrderType, Side } from '@polymarket/clob-client'
import { Wallet } from 'ethers5'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { lossyProxy } from './lossy-proxy.ts'
import type { World } from './world.ts'

/** Call by call: what the older client (ethers 5) and the newer one get from us. Test titles begin with their ids in exchange.md 6.4. */
export function callConformance(worldOf: () => World): void {
  let w: World
  let yes: string
  let no: string
  let market: string
  beforeAll(() => {
    w = worldOf()
    ;({ yes, no, market } = w)
  })
  const usual = undefined

  describe('keys', () => {
    test('A1 are the same when created twice and derived, and differ by nonce', async () => {
      const { v1, creds } = await w.trader('0')
      expect([await v1.createApiKey(), await v1.deriveApiKey(), await v1.createOrDeriveApiKey()]).toEqual([creds, creds, creds])
      expect((await v1.createApiKey(7)).key).not.toBe(creds.key)
      expect((await v1.getApiKeys()).apiKeys).toHaveLength(2)
      expect(await v1.getClosedOnlyMode()).toEqual({ closed_only: false })
    })

    test('A1 are not derived where none was created', async () => {
      expect(await w.status(w.older(new Wallet(generatePrivateKey())).deriveApiKey())).toBe(400)
    })

    test('A2 end at once when they are deleted', async () => {
      const { v1 } = await w.trader('0')
      await v1.deleteApiKey()
      expect(await w.status(v1.getOpenOrders())).toBe(401)
    })

    test('A2 that can only read, can only read', async () => {
      const { v1, wallet } = await w.trader()
      const { apiKey } = await v1.createReadonlyApiKey()
      expect(await v1.getReadonlyApiKeys()).toEqual([apiKey])
      expect(await v1.validateReadonlyApiKey(wallet.address, apiKey)).toBeTypeOf('string')
      expect(await v1.deleteReadonlyApiKey(apiKey)).toBe(true)
      expect(await v1.getReadonlyApiKeys()).toEqual([])
    })

    test.each([
      ['another passphrase', (creds: object) => ({ ...creds, passphrase: 'x' })],
      ['another secret', (creds: object) => ({ ...creds, secret: `${'A'.repeat(43)}=` })],
      ['another key', (creds: object) => ({ ...creds, key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' })],
    ])('A3 with %s are refused', async (_, change) => {
      const { wallet, creds } = await w.trader('0')
      expect(await w.status(w.older(wallet, change(creds) as typeof creds).getOpenOrders())).toBe(401)
    })

    test('A3 work by the server’s clock, and not for another wallet', async () => {
      const { wallet, creds } = await w.trader('0')
      expect(await w.older(wallet, creds, { useServerTime: true }).getOpenOrders()).toEqual([])
      expect(await w.status(w.older(new Wallet(generatePrivateKey()), creds).getOpenOrders())).toBe(401)
    })
  })

  describe('what everybody may read', () => {
    test('M1 M2 is there for both clients', async () => {
      const { v1, v2 } = await w.trader('0')
      for (const client of [v1, v2]) {
        expect(await client.getOk()).toBe('OK')
        const asked = Date.now() / 1000
        const time = await client.getServerTime()
        expect(time > asked - 2 && time < Date.now() / 1000 + 2).toBe(true)
        for (const list of ['getMarkets', 'getSamplingMarkets', 'getSimplifiedMarkets', 'getSamplingSimplifiedMarkets'] as const) {
          expect(await client[list]()).toMatchObject({ data: [{ condition_id: market }, {}], next_cursor: 'LTE=', count: 2 })
        }
        expect(await client.getMarket(market)).toMatchObject({ condition_id: market, tokens: [{ token_id: yes }, { token_id: no }] })
        expect([await client.getTickSize(yes), await client.getNegRisk(yes), await client.getFeeRateBps(yes)]).toEqual(['0.01', false, 0])
        expect(await client.getOrderBook(yes)).toMatchObject({
          asset_id: yes,
          market,
          tick_size: '0.01',
          min_order_size: '5',
          neg_risk: false,
        })
        expect(await client.getOrderBooks([{ token_id: yes, side: Side.BUY as never }])).toMatchObject([{ asset_id: yes }])
      }
      expect(await v2.getVersion()).toBe(2)
      expect(await v2.getClobMarketInfo(market)).toMatchObject({ c: market, mts: 0.01, mos: 5 })
    })

    test('M2 M3 has books on both sides, and every figure of them', async () => {
      const { v1, v2 } = await w.trader()
      const options = { tickSize: '0.01', negRisk: false } as const
      await v1.createAndPostOrder({ tokenID: yes, price: 0.4, size: 10, side: Side.BUY }, options)
      await v1.createAndPostOrder({ tokenID: no, price: 0.5, size: 20, side: Side.BUY }, options)
      for (const client of [v1, v2]) {
        const both = [
          { token_id: yes, side: Side.BUY as never },
          { token_id: no, side: Side.SELL as never },
        ]
        expect(await client.getMidpoint(yes)).toEqual({ mid: '0.45' })
        expect(await client.getMidpoints(both)).toEqual({ [yes]: '0.45', [no]: '0.55' })
        expect([await client.getPrice(yes, 'BUY'), await client.getPrice(yes, 'SELL')]).toMatchObject([{ price: '0.4' }, { price: '0.5' }])
        expect(await client.getPrices(both)).toMatchObject({ [yes]: { BUY: '0.4' }, [no]: { SELL: '0.6' } })
        expect([await client.getSpread(no), await client.getSpreads(both)]).toEqual([{ spread: '0.1' }, { [yes]: '0.1', [no]: '0.1' }])
        const books = [await client.getOrderBook(yes), await client.getOrderBook(no)]
        expect(books.map(({ bids, asks }) => [bids.at(-1), asks.at(-1)])).toEqual([
          [
            { price: '0.4', size: '10' },
            { price: '0.5', size: '20' },
          ],
          [
            { price: '0.5', size: '20' },
            { price: '0.6', size: '10' },
          ],
        ])
        for (const book of books) expect(await client.getOrderBookHash({ ...book })).toBe(book.hash)
      }
      expect(await v1.cancelMarketOrders({ asset_id: yes })).toMatchObject({ canceled: [expect.any(String)] })
      expect(await v1.cancelMarketOrders({ market })).toMatchObject({ canceled: [expect.any(String)] })
    })

    test('M2 does not know what is not there', async () => {
      const { v1 } = await w.trader('0')
      expect([
        await w.status(v1.getMarket(`0x${'12'.repeat(32)}`)),
        await w.status(v1.getOrderBook('12')),
        await w.status(v1.getTickSize('12')),
      ]).toEqual([404, 404, 404])
    })
  })

  describe('orders', () => {
    const options = { tickSize: '0.01', negRisk: false } as const
    const order = (price: number, size = 10, side = Side.BUY, tokenID = yes) => ({ tokenID, price, size, side })

    test('O4 of each type do what their type says', async () => {
      const [maker, taker] = await Promise.all([w.trader(), w.trader()])
      await maker.v1.createAndPostOrder(order(0.5, 10, Side.BUY, no), options) // an ask of 10 Yes at .50
      const fok = taker.v1.createAndPostMarketOrder({ tokenID: yes, amount: 20, side: Side.BUY, price: 0.5 }, options, OrderType.FOK)
      expect(await w.status(fok)).toBe(400)
      const crossing = taker.v1.createAndPostOrder(order(0.5), options, OrderType.GTC, false, true)
      await expect(crossing).rejects.toThrow('invalid post-only order: order crosses book')
      const part = await taker.v1.createAndPostMarketOrder({ tokenID: yes, amount: 20, side: Side.BUY, price: 0.5 }, options, OrderType.FAK)
      expect(part).toMatchObject({ status: 'matched', makingAmount: '5', takingAmount: '10' })
      const none = taker.v1.createAndPostMarketOrder({ tokenID: yes, amount: 20, side: Side.BUY, price: 0.5 }, options, OrderType.FAK)
      await expect(none).rejects.toThrow('no orders found to match with FAK order')
      const soon = Math.floor(Date.now() / 1000) + 3600
      const gtd = await taker.v1.createAndPostOrder({ ...order(0.1), expiration: soon }, options, OrderType.GTD)
      expect(await taker.v1.getOrder(gtd.orderID)).toMatchObject({ order_type: 'GTD', expiration: String(soon), status: 'LIVE' })
      expect(await w.status(taker.v1.createAndPostOrder({ ...order(0.1), expiration: 1_000_000 }, options, OrderType.GTD))).toBe(400)
      expect(await w.status(taker.v1.createAndPostOrder({ ...order(0.1), expiration: soon }, options, OrderType.GTC))).toBe(400)
      await taker.v1.cancelAll()
    })

    test('O6 by the newer client buy and sell at the market, without asking again and again whether they are settled', async () => {
      const [maker, taker] = await Promise.all([w.trader(), w.trader()])
      await maker.v1.createAndPostOrder(order(0.4, 50, Side.BUY, no), options)
      const buy = await taker.v2.createAndPostMarketOrder(
        { tokenID: yes, amount: 12, side: Side.BUY as never },
        options,
        OrderType.FOK as never,
      )
      expect(buy).toMatchObject({ success: true, status: 'matched', makingAmount: '12', takingAmount: '20' })
      await maker.v2.createAndPostOrder({ tokenID: yes, price: 0.3, size: 50, side: Side.BUY as never }, options)
      const sell = await taker.v2.createAndPostMarketOrder(
        { tokenID: yes, amount: 20, side: Side.SELL as never },
        options,
        OrderType.FAK as never,
      )
      expect(sell).toMatchObject({ success: true, status: 'matched', makingAmount: '20', takingAmount: '6' })
      expect((buy as { transactionsHashes: string[] }).transactionsHashes).toHaveLength(1)
      await maker.v1.cancelAll()
    })

    test('O5 C1 in batches keep their order, each for itself', async () => {
      const { v1 } = await w.trader('100')
      const sign = (price: number, size: number) => v1.createOrder(order(price, size), options)
      const legs = [await sign(0.1, 10), await sign(0.2, 1), await sign(0.3, 10), await sign(0.4, 10_000)]
      const results = (await v1.postOrders(legs.map((leg) => ({ order: leg, orderType: OrderType.GTC })))) as {
        success: boolean
        code?: string
      }[]
      expect(results.map(({ success, code }) => code ?? success)).toEqual([true, 'size_too_small', true, 'insufficient_balance'])
      const many = await Promise.all(Array.from({ length: 16 }, () => sign(0.1, 10)))
      await expect(v1.postOrders(many.map((leg) => ({ order: leg, orderType: OrderType.GTC })))).rejects.toThrow(
        'Too many orders in payload: 16',
      )
      const open = await v1.getOpenOrders({ asset_id: yes })
      expect(open.map(({ price }) => price).sort()).toEqual(['0.1', '0.3'])
      const ids = open.map(({ id }) => id)
      expect(await v1.cancelOrders([...ids, `0x${'34'.repeat(32)}`])).toMatchObject({
        canceled: expect.arrayContaining(ids),
        not_canceled: { [`0x${'34'.repeat(32)}`]: expect.any(String) },
      })
    })

    test('O7 sent twice are one order', async () => {
      const { v1 } = await w.trader()
      const signed = await v1.createOrder(order(0.1), options)
      const [first, second] = [await v1.postOrder(signed), await v1.postOrder(signed)]
      expect(second.orderID).toBe(first.orderID)
      expect(await v1.getOpenOrders()).toHaveLength(1)
      await v1.cancelAll()
    })

    test('O7 whose answer was lost are asked for again, and are one order', async () => {
      const proxy = await lossyProxy(w.exchange.url, (method, path) => method === 'POST' && path === '/order')
      const { wallet, creds } = await w.trader()
      const stubborn = new ClobClient(
        proxy.url,
        w.chain as never,
        wallet,
        creds,
        usual,
        usual,
        usual,
        usual,
        usual,
        usual,
        true,
        usual,
        true,
      )
      const placed = await stubborn.createAndPostOrder(order(0.1), options)
      expect([proxy.lost(), placed.status]).toEqual([1, 'live'])
      expect((await stubborn.getOpenOrders()).map(({ id }) => id)).toEqual([placed.orderID])
      await stubborn.cancelAll()
      proxy.close()
    })

    test('O7 in plain form, by our own client, likewise', async () => {
      const proxy = await lossyProxy(w.exchange.url, (method, path) => method === 'POST' && path === '/order')
      const wallet = privateKeyToAccount(generatePrivateKey())
      const apiKey = await createApiKey({ url: w.exchange.url, wallet })
      await w.exchange.operator.faucet({ body: { address: wallet.address, amount: '100' } })
      const client = venueClient({ url: proxy.url, apiKey })
      const body = { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' } as const
      const { orderId } = await client.placeOrder({ body })
      expect([proxy.lost(), (await client.listOrders()).data.map(({ id }) => id)]).toEqual([1, [orderId]])
      await client.cancelAll()
      proxy.close()
    })

    test.each([
      ['off the tick', 0.105, 10, '0.001', 'breaks minimum tick size rule'],
      ['below the smallest size', 0.1, 1, '0.01', 'lower than the minimum'],
      ['beyond the balance', 0.5, 100_000, '0.01', 'not enough balance / allowance'],
    ] as const)('O2 O8 %s are refused with the words that bots look for', async (_, price, size, tickSize, text) => {
      const { v1, wallet, creds } = await w.trader()
      const signed = await v1.orderBuilder.buildOrder({ ...order(price, size), feeRateBps: 0 }, { tickSize, negRisk: false })
      await expect(v1.postOrder(signed)).rejects.toThrow(text)
      expect(await w.older(wallet, creds).getOpenOrders()).toEqual([])
    })

    test('O9 C1 of somebody else, or signed for the other kind of market, are refused', async () => {
      const [a, b] = await Promise.all([w.trader(), w.trader()])
      const signed = await a.v1.createOrder(order(0.1), options)
      await expect(b.v1.postOrder(signed)).rejects.toThrow('the order signer address has to be the address of the API KEY')
      const other = await a.v1.orderBuilder.buildOrder({ ...order(0.1), feeRateBps: 0 }, { tickSize: '0.01', negRisk: true })
      expect(await w.status(a.v1.postOrder(other))).toBe(400)
      const { orderID } = await a.v1.postOrder(signed)
      expect([
        await w.status(b.v1.cancelOrder({ orderID })),
        await w.status(b.v1.cancelOrder({ orderID: `0x${'56'.repeat(32)}` })),
      ]).toEqual([403, 404])
      expect(await w.status(b.v1.getOrder(orderID))).toBe(403)
      await a.v1.cancelAll()
    })
  })

  describe('an account', () => {
    test('Q1 Q2 O3 knows its money, its shares and its trades from both sides', async () => {
      const [maker, taker] = await Promise.all([w.trader('100'), w.trader('100')])
      const options = { tickSize: '0.01', negRisk: false } as const
      await maker.v1.createAndPostOrder({ tokenID: no, price: 0.35, size: 10, side: Side.BUY }, options)
      await taker.v2.createAndPostOrder({ tokenID: yes, price: 0.65, size: 10, side: Side.BUY as never }, options)
      const balance = async ({ v1 }: typeof maker, token_id?: string) => {
        const asset_type = token_id === undefined ? AssetType.COLLATERAL : AssetType.CONDITIONAL
        return (await v1.getBalanceAllowance(token_id === undefined ? { asset_type } : { asset_type, token_id })).balance
      }
      expect([await balance(maker), await balance(maker, no), await balance(taker), await balance(taker, yes)]).toEqual([
        '96500000',
        '10000000',
        '93500000',
        '10000000',
      ])
      await maker.v1.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL })
      const [made] = await maker.v1.getTrades({ market })
      expect(made).toMatchObject({
        trader_side: 'MAKER',
        asset_id: yes,
        side: 'BUY',
        maker_orders: [{ side: 'BUY', asset_id: no, price: '0.35', matched_amount: '10' }],
      })
      const [took] = await taker.v1.getTrades({ id: made!.id })
      expect(took).toMatchObject({ trader_side: 'TAKER', price: '0.65', size: '10', taker_order_id: made!.taker_order_id })
      expect(await taker.v1.getTrades({ before: '1000000000' })).toEqual([])
      expect(await taker.v1.getTradesPaginated({ market })).toMatchObject({ trades: [{ id: made!.id }], next_cursor: 'LTE=' })
    })
  })
}
