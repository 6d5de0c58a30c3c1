import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { shellBlocks } from '@augury/testing/shell-blocks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Desk, ethersDesk, fund, newerDesk, viemDesk } from '../src/desk.ts'
import { findMarket, tradeTogether } from '../src/session.ts'
import { condition, type Exchange, startExchange } from './exchange.ts'

let exchange: Exchange
let desks: Record<'ethers' | 'viem' | 'newer', Desk>

beforeAll(async () => {
  exchange = await startExchange()
  await exchange.operator.registerCondition({ body: condition('rain') })
  for (const slug of ['winner-a', 'winner-b']) {
    const { metadata, ...rest } = condition(slug, { neg_risk_event: { slug: 'winner', size: 2 }, tick_size: '0.001' })
    await exchange.operator.registerCondition({
      body: { ...rest, metadata: { ...metadata, event: { ...metadata.event, slug: 'winner' } } },
    })
  }
  const [ethers, viem, newer] = await Promise.all([ethersDesk(exchange.url), viemDesk(exchange.url), newerDesk(exchange.url)])
  for (const desk of [ethers, viem, newer]) await fund(exchange.url, desk, '100')
  desks = { ethers, viem, newer }
})
afterAll(() => exchange?.close())

describe('established clients, unmodified', () => {
  test.each([
    ['ethers', 'viem', 'plain'],
    ['viem', 'ethers', 'neg-risk'],
    ['newer', 'viem', 'plain'],
    ['ethers', 'newer', 'neg-risk'],
  ] as const)('%s makes and %s takes in a %s market', async (making, taking, kind) => {
    const [maker, taker] = [desks[making], desks[taking]]
    const market = await findMarket(maker, (row) => row.neg_risk === (kind === 'neg-risk'))
    const said: string[] = []
    const before = (await taker.client.getTrades({ market: market.condition })).length
    const session = await tradeTogether(maker, taker, market, (text) => said.push(text))
    const settled = {
      success: true,
      status: 'matched',
      transactionsHashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      takingAmount: '10',
    }
    const resting = { status: 'LIVE', original_size: '10', size_matched: '0', side: 'BUY', price: String(market.price) }
    expect(session.resting).toMatchObject(resting)
    expect(session.mint).toMatchObject({ ...settled, makingAmount: shares(1 - market.price) })
    expect(session.direct).toMatchObject({ ...settled, makingAmount: shares(market.price) })
    expect(session.cancelled).toMatchObject({ canceled: [expect.any(String)], again: 409, all: [expect.any(String)] })
    const trades = session.trades.slice(0, session.trades.length - before)
    expect(trades.map(({ trader_side, side, size, asset_id, price }) => [trader_side, side, size, asset_id, price])).toEqual([
      ['TAKER', 'BUY', '10', market.yes, String(market.price)],
      ['TAKER', 'BUY', '10', market.no, String(Number((1 - market.price).toFixed(4)))],
    ])
    expect(Number(session.balances.yes)).toBeGreaterThanOrEqual(10_000_000)
    expect(session.openAtEnd).toBe(0)
    expect(session.read.ownHash).toBe(session.read.hash)
    expect(session.read.last).toEqual({ price: String(market.price), side: 'BUY' })
    expect(said).toHaveLength(5)
  })
})

test('the script for readers runs to its end, as README.md says', { timeout: 600_000 }, async () => {
  const [block = ''] = shellBlocks('examples/third-party-client/README.md')
  const script = startChild('bash', ['-euc', block.replace('http://localhost:3001', exchange.url)], {
    cwd: join(import.meta.dirname, '../../..'),
  })
  expect([await script.ended, script.output()]).toEqual([0, expect.stringContaining('newer client bids')])
})

/** What ten shares cost at a price, as the service writes it. */
const shares = (price: number) => String(Number((10 * price).toFixed(4)))
