import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey, deriveApiKey } from '@augury/client/api-key'
import type { LiveBook } from '@augury/client/live-book'
import { signOrder } from '@augury/client/orders'
import { venueClient } from '@augury/client/rest'
import { MarketStream, marketStreamUrl } from '@augury/client/stream'
import { prng } from '@augury/testing/prng'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { condition, type Exchange, startExchange } from '../../third-party-client/test/exchange.ts'
import { MarketMaker } from '../src/market-maker.ts'
import { wallets } from '../src/wallets.ts'

/** Our own client against the real service: here, because the client itself may not know a server. */

const folder = mkdtempSync(join(tmpdir(), 'augury-client-'))
let exchange: Exchange
let market: { condition_id: string; tokens: { token_id: string }[] }

beforeAll(async () => {
  exchange = await startExchange()
  market = await exchange.operator.registerCondition({ body: condition('rain') })
})
afterAll(async () => {
  await exchange?.close()
  rmSync(folder, { recursive: true })
})

test('a followed book equals the answered one at the same position, whatever happens, restart included', async () => {
  const { url } = exchange
  const bot = await MarketMaker.open(url, wallets(folder), new Map([['rain', { price: 0.4, volume: 1 }]]), new Map(), prng(3).unit)
  const stream = new MarketStream({ url: marketStreamUrl(url), reconnectMs: 10 })
  const seen = new Seen()
  stream.follow(market, (book) => seen.hear(book))
  const token_id = market.tokens[0]!.token_id
  const agree = async () => {
    const { bids, asks, seq } = await exchange.operator.getOrderbook({ query: { token_id } })
    const book = await seen.at(seq)
    expect(book.levels(0)).toEqual({ bids, asks })
    return bids.length
  }
  for (let round = 0; round < 25; round++) {
    await bot.step()
    await agree()
  }
  await exchange.restart()
  for (let round = 0; round < 10; round++) {
    await bot.step()
    expect(await agree()).toBeGreaterThan(0)
  }
  stream.close()
  await bot.close()
})

/** The book once it has come as far as a position of the log at which it changed last. */
class Seen {
  #book: LiveBook | undefined
  #waiting: (() => void)[] = []

  hear(book: LiveBook): void {
    this.#book = book
    for (const look of this.#waiting.splice(0)) look()
  }

  async at(seq: number): Promise<LiveBook> {
    while (this.#book === undefined || !this.#book.ready || this.#book.seq < seq)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.#book
  }
}

test('an order signed by a wallet rests under the id that was known before, and can be looked up and cancelled', async () => {
  const { url } = exchange
  const wallet = privateKeyToAccount(generatePrivateKey())
  const apiKey = await createApiKey({ url, wallet, name: 'desk' })
  expect(await deriveApiKey({ url, wallet })).toEqual(apiKey)
  const client = venueClient({ url, apiKey })
  await client.faucet({ body: { address: wallet.address, amount: '50' } })
  const { chain_id: chainId } = await client.getStatus()
  const intent = {
    tokenId: market.tokens[0]!.token_id,
    side: 'BUY',
    orderType: 'GTC',
    price: '0.1',
    size: '20',
    clientOrderId: 'first',
  } as const
  const { body, orderId } = await signOrder(intent, { wallet, chainId, apiKey: apiKey.key, tickSize: '0.01' })
  expect(await client.placeOrder({ body })).toMatchObject({ orderId, state: 'live', remaining_size: '20', clientOrderId: 'first' })
  expect(await client.placeOrder({ body })).toMatchObject({ orderId }) // the same bytes: the first answer
  expect(await client.getOrder({ params: { id: orderId } })).toMatchObject({ price: '0.1', client_order_id: 'first' })
  expect(await client.listHolds()).toEqual([{ order_id: orderId, asset: 'USDC', amount: '2000000', reason: 'order' }])
  expect(await client.cancelOrder({ body: { orderId } })).toMatchObject({ canceled: [orderId], order: { state: 'cancelled' } })
  await expect(client.cancelOrder({ body: { orderId } })).rejects.toMatchObject({
    status: 409,
    code: 'order_ended',
    body: { state: 'cancelled' },
  })
  await client.placeOrder({ body: { ...intent, clientOrderId: 'plain' } })
  await expect(client.placeOrder({ body: { ...intent, clientOrderId: 'plain', size: '30' } })).rejects.toMatchObject({
    code: 'client_order_id_conflict',
  })
  await expect(client.placeOrder({ body: { ...intent, size: '1000', clientOrderId: 'second' } })).rejects.toMatchObject({
    status: 400,
    code: 'insufficient_balance',
    details: { available: '48000000', reserved: '2000000', required: '100000000' },
  })
})
