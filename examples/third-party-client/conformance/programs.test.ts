import { afterAll, beforeAll, expect, test } from 'vitest'
import { condition } from '../test/exchange.ts'
import { openWorld } from '../test/world.ts'
import { ccxt } from './programs/ccxt.ts'
import { newerClient, olderClient } from './programs/order-clients.ts'
import { polySdk } from './programs/poly-sdk.ts'
import { polymarketClient } from './programs/polymarket-client.ts'
import { polymarketData } from './programs/polymarket-data.ts'
import type { Stage, Tally } from './programs/program.ts'

let stage: Stage
/** What is listed at the end: a line for each program. */
const lines = [
  'py-clob-client, py-clob-client-v2: not run, as they come by PyPI alone; their requests are those of the two npm order clients',
]

beforeAll(async () => {
  const world = await openWorld({ chain: 80002, via: 'direct' })
  const { metadata } = condition('dry')
  const event = { ...metadata.event, series_slug: 'weather' }
  await world.exchange.operator.registerCondition({ body: condition('dry', { metadata: { ...metadata, event } }) })
  const maker = await world.trader()
  stage = { world, maker }
  const options = { tickSize: '0.01', negRisk: false } as const
  await world.place(maker.v1, { tokenID: world.yes, side: 'BUY' as never, price: 0.4, size: 500 }, options)
  // Programs buy at the displayed price, which has to reach the best ask.
  await world.place(maker.v1, { tokenID: world.no, side: 'BUY' as never, price: 0.59, size: 500 }, options)
  const taker = await world.trader()
  await world.place(taker.v1, { tokenID: world.yes, side: 'BUY' as never, price: 0.41, size: 10 }, options)
})
afterAll(async () => {
  await stage?.world.close()
  console.log(lines.join('\n'))
})

const HEAVY = 240_000

test.each<[name: string, run: (stage: Stage) => Promise<Tally>, notPassed: number]>([
  ['@polymarket/clob-client', olderClient, 0],
  ['@polymarket/clob-client-v2', newerClient, 0],
  ['ccxt', ccxt, 1],
  ['@polymarket/client', polymarketClient, 0],
  ['polymarket-data', polymarketData, 0],
  ['@catalyst-team/poly-sdk', polySdk, 0],
])('%s, all that it offers for this exchange', { timeout: HEAVY }, async (_name, run, notPassed) => {
  const tally = await run(stage)
  lines.push(tally.line())
  expect(tally.failed.length, tally.line()).toBeLessThanOrEqual(notPassed)
})
