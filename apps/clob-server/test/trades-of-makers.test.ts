import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const compat = `${running.url}/compat`
const market = await registerMarket(running, 'makers')
const alice = await funded(running.url, wallets.alice, '100')
const bob = await funded(running.url, wallets.bob, '100')
await alice.place(limit(market.yes, 'BUY', '0.4', '10'))
await bob.place(limit(market.no, 'BUY', '0.6', '10'))

const { address: maker } = wallets.alice
const ofUser = (rest = '') => `/trades?user=${maker}${rest}`
const compatRows = async (query: string) =>
  (await send(compat, 'GET', `/trades?${query}`)).body.map((row: { proxyWallet: string; side: string; outcome: string; price: number }) => [
    row.proxyWallet === maker,
    row.side,
    row.outcome,
    row.price,
  ])

test('trades of an account are in its own terms, and what is asked of a row holds in these', async () => {
  const { data } = (await send(running.url, 'GET', ofUser())).body
  expect(data).toMatchObject([{ side: 'BUY', asset_id: market.yes, price: '0.4', size: '10', trader_side: 'MAKER', trader_address: maker }])
  for (const [query, rows] of [
    ['&side=BUY', 1],
    ['&side=SELL', 0],
    [`&asset_id=${market.yes}`, 1],
    [`&asset_id=${market.no}`, 0],
    ['&min_usdc=4', 1],
    ['&min_usdc=4.01', 0],
    ['&min_shares=10.01', 0],
  ] as const)
    expect([query, (await send(running.url, 'GET', ofUser(query))).body.data.length]).toEqual([query, rows])
})

test('in the established dialect only takers are listed, unless all who took part are asked for', async () => {
  expect(await compatRows(`user=${maker}`)).toEqual([])
  expect(await compatRows(`user=${maker}&takerOnly=false`)).toEqual([[true, 'BUY', 'Yes', 0.4]])
  expect(await compatRows(`market=${market.condition}`)).toEqual([[false, 'BUY', 'No', 0.6]])
  expect(await compatRows(`conditionId=${market.condition}&takerOnly=false`)).toEqual([
    [false, 'BUY', 'No', 0.6],
    [true, 'BUY', 'Yes', 0.4],
  ])
  expect(await compatRows(`asset_id=${market.yes}&takerOnly=false`)).toEqual([[true, 'BUY', 'Yes', 0.4]])
  expect(await compatRows(`taker=${wallets.bob.address}`)).toEqual([[false, 'BUY', 'No', 0.6]])
})

test('in the established dialect, the trades of a maker are in its terms', async () => {
  const { address: taker } = wallets.bob
  expect(await compatRows(`maker=${maker}`)).toEqual([[true, 'BUY', 'Yes', 0.4]])
  expect(await compatRows(`maker_address=${maker}&taker=${taker}`)).toEqual([[true, 'BUY', 'Yes', 0.4]])
  expect(await compatRows(`maker_address=${maker}&taker=${maker}`)).toEqual([])
  expect(await compatRows(`maker_address=${taker}`)).toEqual([])
  expect((await send(running.url, 'GET', `/trades?maker=${maker}`)).status).toBe(400)
})
