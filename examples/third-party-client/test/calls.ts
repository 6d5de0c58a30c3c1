import { AssetType, Side } from '@polymarket/clob-client'
import { Wallet } from 'ethers5'
import { generatePrivateKey } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { World } from './world.ts'

/** Keys, what everybody may read, accounts, by the older client (ethers 5) and the newer one. Titles begin with their ids in exchange.md 6.4. */
export function callConformance(worldOf: () => World): void {
  let w: World
  let yes: string
  let no: string
  let market: string
  beforeAll(() => {
    w = worldOf()
    ;({ yes, no, market } = w)
  })

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
