import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { ClobClient, OrderType, Side } from '@polymarket/clob-client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { lossyProxy } from './lossy-proxy.ts'
import type { World } from './world.ts'

/** Orders of exchange.md 6.4, by the older client and the newer one: types, batches, lost answers, refusals. */
export function orderConformance(worldOf: () => World): void {
  let w: World
  let yes: string
  let no: string
  beforeAll(() => {
    w = worldOf()
    ;({ yes, no } = w)
  })
  const usual = undefined

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

    test('O9 C1 of another account, or signed for the other kind of market, are refused', async () => {
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
}
