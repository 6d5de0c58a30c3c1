import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'one-sided')
const alice = await funded(running.url, wallets.alice, '100')
const get = (path: string) => send(running.url, 'GET', path)
const ids = `token_ids=${market.yes},${market.no}`

test('a token has no price before an order or a trade, then that of its only side, and what it pays at last', async () => {
  expect(await get(`/midpoint?token_id=${market.yes}`)).toMatchObject({ status: 404, body: { code: 'unknown_token' } })
  expect((await get(`/midpoints?${ids}`)).body).toEqual({})
  expect((await get(`/last-trade-price?token_id=${market.yes}`)).body).toEqual({ price: null, side: '' })

  await alice.place(limit(market.yes, 'BUY', '0.3', '10'))
  expect((await get(`/midpoints?${ids}`)).body).toEqual({ [market.yes]: '0.3', [market.no]: '0.7' })
  expect((await get(`/midpoint?token_id=${market.no}`)).body).toEqual({ mid: '0.7' })

  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  for (const [step, body] of [
    ['close', {}],
    ['resolve', { weights: [10_000, 0] }],
  ] as const)
    expect((await operator.call('POST', `/operator/conditions/${market.condition}/${step}`, body)).status).toBe(200)
  expect((await get(`/midpoints?${ids}`)).body).toEqual({ [market.yes]: '1', [market.no]: '0' })
  expect((await get(`/price?token_id=${market.no}&side=SELL`)).body).toEqual({ price: '0', best_bid: '0', best_ask: '0' })
  expect((await get(`/spread?token_id=${market.yes}`)).body).toEqual({ spread: '0' })
})
