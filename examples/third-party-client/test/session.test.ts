import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desk, ethersDesk, fund, viemDesk } from '../src/desk.ts'
import { findMarket, type Placed, tradeTogether } from '../src/session.ts'
import { condition, type Exchange, startExchange } from './exchange.ts'

let exchange: Exchange
let ethers: Desk
let viem: Desk

beforeAll(async () => {
  exchange = await startExchange()
  await exchange.operator.registerCondition({ body: condition('rain') })
  const negRisk = { neg_risk_event: { slug: 'winner', size: 2 }, tick_size: '0.001' } as const
  for (const slug of ['winner-a', 'winner-b']) await exchange.operator.registerCondition({ body: condition(slug, negRisk) })
  ;[ethers, viem] = await Promise.all([ethersDesk(exchange.url), viemDesk(exchange.url)])
  for (const desk of [ethers, viem]) await fund(exchange.url, desk, '100')
})
afterAll(() => exchange?.close())

const pairs = () =>
  [
    ['ethers makes and viem takes, in a plain market', ethers, viem, false],
    ['viem makes and ethers takes, in a neg-risk market', viem, ethers, true],
  ] as const

describe.each([0, 1])('the established client, unmodified (%#)', (index) => {
  test('creates keys, places, lists, is matched by minting and directly, cancels, and reads it all back', async () => {
    const [, maker, taker, negRisk] = pairs()[index]!
    const market = await findMarket(maker, (row) => row.neg_risk === negRisk)
    const said: string[] = []
    const session = await tradeTogether(maker, taker, market, (text) => said.push(text))
    const matched = { success: true, status: 'matched', transactionsHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] }
    expect(session.resting).toMatchObject({
      status: 'LIVE',
      original_size: '10',
      size_matched: '0',
      side: 'BUY',
      price: String(market.price),
    })
    expect(session.mint).toMatchObject({
      ...matched,
      makingAmount: String(10 * Number((1 - market.price).toFixed(4))),
      takingAmount: '10',
    } satisfies Partial<Placed> & object)
    expect(session.direct).toMatchObject({ ...matched, makingAmount: String(10 * market.price), takingAmount: '10' })
    expect(session.cancelled).toMatchObject({ canceled: [expect.any(String)], again: 409, all: [expect.any(String)] })
    expect(session.balances.yes).toBe('10000000')
    expect(session.trades.map(({ trader_side, side, size, asset_id }) => [trader_side, side, size, asset_id])).toEqual([
      ['TAKER', 'BUY', '10', market.yes],
      ['TAKER', 'BUY', '10', market.no],
    ])
    expect(session.openAtEnd).toBe(0)
    expect(said).toHaveLength(5)
  })
})
