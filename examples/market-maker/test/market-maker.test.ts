import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { startChild } from '@augury/testing/child-process'
import { prng } from '@augury/testing/prng'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { condition, type Exchange, startExchange } from '../../third-party-client/test/exchange.ts'
import { keepLastPrices, readLastPrices } from '../src/last-prices.ts'
import { MarketMaker } from '../src/market-maker.ts'
import { wallets } from '../src/wallets.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-market-maker-'))
const catalogue = new Map([
  ['rain', { price: 0.3, volume: 5 }],
  ['snow', { price: 0.9, volume: 9 }],
  ['decided', { price: 1, volume: 7 }],
])
let exchange: Exchange

beforeAll(async () => {
  exchange = await startExchange()
  await exchange.operator.registerCondition({ body: condition('rain') })
  await exchange.operator.registerCondition({ body: condition('snow', { tick_size: '0.001' }) })
  await exchange.operator.registerCondition({ body: condition('decided') })
})
afterAll(async () => {
  await exchange?.close()
  rmSync(folder, { recursive: true })
})

/** Best bid and ask of the Yes of a market. */
async function best(slug: string) {
  const { data } = await exchange.operator.listMarkets()
  const [yes] = data.find((market) => market.market_slug === slug)!.tokens
  const { bids, asks } = await exchange.operator.getOrderbook({ query: { token_id: yes!.token_id } })
  return [bids[0]?.price, asks[0]?.price, bids.length]
}

test('it quotes every open market at its price, then in depth, trades, and takes its quotes away', async () => {
  const { unit } = prng(17)
  const bot = await MarketMaker.open(exchange.url, wallets(join(folder, 'a')), catalogue, new Map(), unit)
  expect(bot.size).toBe(2)
  expect([await best('rain'), await best('snow'), await best('decided')]).toEqual([
    ['0.29', '0.31', 1],
    ['0.899', '0.901', 1],
    [undefined, undefined, 0],
  ])
  for (let i = 0; i < 40; i++) await bot.step()
  const [bid, ask, levels] = await best('rain')
  expect([Number(bid) > 0.15, Number(ask) < 0.45, Number(ask) > Number(bid), levels]).toEqual([true, true, true, 6])
  const { data } = await exchange.operator.listTrades({ query: {} })
  expect(data.length).toBeGreaterThan(5)
  expect(new Set(data.map((trade) => trade.match_type))).toContain('mint')
  expect(new Set(data.map(({ side }) => side)).size).toBe(2)
  expect(new Set(data.map((trade) => trade.taker_address)).size).toBeGreaterThan(3)
  await exchange.operator.registerCondition({ body: condition('hail') })
  await bot.refresh()
  expect([bot.size, await best('hail')]).toEqual([3, ['0.49', '0.51', 1]])
  await bot.close()
  expect([await best('rain'), await best('hail')]).toEqual([
    [undefined, undefined, 0],
    [undefined, undefined, 0],
  ])
})

test('it goes on where its prices were, not where they began', async () => {
  const first = await MarketMaker.open(exchange.url, wallets(join(folder, 'a')), catalogue, new Map(), prng(17).unit)
  for (let i = 0; i < 40; i++) await first.step()
  const before = first.prices
  await first.close()
  keepLastPrices(folder, before)
  const second = await MarketMaker.open(exchange.url, wallets(join(folder, 'a')), catalogue, readLastPrices(folder))
  expect(second.prices).toEqual(before)
  expect([...before.values()]).not.toContain(3000)
  await second.close()
})

test('as a program it goes on after the service was restarted, and leaves nothing behind', async () => {
  const data = join(folder, 'b')
  const program = startChild(process.execPath, ['src/main.ts', '--url', exchange.url, '--data', data, '--pace', '10'], {
    cwd: join(import.meta.dirname, '..'),
  })
  await program.waitFor(/quoting 4 markets/)
  await moreTrades()
  await exchange.restart()
  await moreTrades()
  expect(await program.stop()).toBe(0)
  for (const slug of ['rain', 'snow', 'hail', 'decided']) expect((await best(slug))[2]).toBe(0)
})

test('the market that was traded most keeps its depth while others take turns', async () => {
  for (let n = 0; n < 45; n++) await exchange.operator.registerCondition({ body: condition(`race-${n}`) })
  const raced = new Map(Array.from({ length: 45 }, (_, n) => [`race-${n}`, { price: 0.5, volume: 1_000 - n }]))
  const bot = await MarketMaker.open(exchange.url, wallets(join(folder, 'c')), raced, new Map(), () => 0)
  for (let n = 0; n < 80; n++) await bot.step()
  const levels = await Promise.all(['race-0', 'race-23', 'race-24', 'race-40'].map(async (slug) => (await best(slug))[2]))
  expect(levels).toEqual([6, 6, 1, 6])

  // A market outside the depth, of which a trader buys all offers.
  const buyer = await newcomer()
  const { data } = await exchange.operator.listMarkets()
  const [yes] = data.find(({ market_slug }) => market_slug === 'race-24')!.tokens
  await buyer.placeOrder({ body: { tokenId: yes!.token_id, side: 'BUY', orderType: 'FAK', price: '0.99', size: '60' } })
  expect((await best('race-24'))[1]).toBeUndefined()
  await bot.refresh()
  expect(Number((await best('race-24'))[1])).toBeGreaterThan(0)
  await bot.close()
})

/** Another trader, with money. */
async function newcomer(): Promise<VenueClient> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const client = venueClient({ url: exchange.url, apiKey: await createApiKey({ url: exchange.url, wallet }) })
  await client.faucet({ body: { address: wallet.address, amount: '1000' } })
  return client
}

/** Waits for the next trade. */
async function moreTrades(): Promise<void> {
  const client = venueClient({ url: exchange.url })
  const last = async () => (await client.listTrades({ query: { limit: 1 } })).data[0]?.seq ?? 0
  const before = await last()
  while ((await last()) === before) await sleep(50)
}

test('where orders need a proxy wallet it registers those of its wallets first', async () => {
  const strict = await startExchange({ environment: { REQUIRE_PROXY_WALLET: '1' } })
  try {
    await strict.operator.registerCondition({ body: condition('fog') })
    const bot = await MarketMaker.open(strict.url, wallets(join(folder, 'strict')), catalogue)
    expect(bot.size).toBe(1)
    for (let i = 0; i < 10; i++) await bot.step()
    await bot.close()
  } finally {
    await strict.close()
  }
})
