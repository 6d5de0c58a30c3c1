import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, registerMarket, type TestMarket } from './market.ts'
import { type RunningServer, runningServer, wallets } from './running-server.ts'

// What clients in other languages send that the npm clients do not, and what their types refuse to read.

let running: RunningServer
let market: TestMarket
let compat: string
let alice: Caller
let bob: Caller

beforeAll(async () => {
  running = await runningServer()
  compat = `${running.url}/compat`
  market = await registerMarket(running, 'compat-clients')
  const at = async (wallet: typeof wallets.alice) => Caller.with(compat, (await Caller.of(running.url, wallet)).key)
  ;[alice, bob] = await Promise.all([at(wallets.alice), at(wallets.bob)])
  await Promise.all([wallets.alice, wallets.bob].map(({ address }) => fund(running.url, address, '1000')))
})
afterAll(() => running.close())

const bid = (price: string, size = '10', tokenId = market.yes) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })

test.each([
  ['GET', '/data/orders', undefined],
  ['DELETE', '/cancel-all', undefined],
  ['DELETE', '/notifications?ids=1', undefined],
  ['POST', '/orders-scoring', ['0x12']],
] as const)('%s %s may be signed with the mount, as who signs the path of an address does', async (method, path, body) => {
  const text = body && JSON.stringify(body)
  const headers = await alice.headers(method, `/compat${path.split('?')[0]}`, text)
  const poly = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('SVC_', 'POLY_'), value]))
  expect((await send(compat, method, path, text, poly)).status).toBe(200)
})
