import { expect, test } from 'vitest'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'market-buys')
const alice = await funded(running.url, wallets.alice, '100')
const bob = await funded(running.url, wallets.bob, '100')
const buy = (orderType: 'FAK' | 'FOK') => ({
  tokenId: market.yes,
  side: 'BUY',
  orderType,
  amount: '50',
  price: '0.5',
  clientOrderId: orderType,
})

test('a market BUY that got a part, or nothing, says what it asked for and what was not spent', async () => {
  await alice.place(limit(market.no, 'BUY', '0.5', '5'))
  const { body } = await bob.call('POST', '/order', buy('FAK'))
  expect(body).toMatchObject({ size_matched: '5', remaining_amount: '47.5' })
  const seen = async (id: string) => (await bob.call('GET', `/data/order/${id}`)).body
  expect(await seen(body.orderId)).toMatchObject({ original_size: '100', size_matched: '5', amount: '50', amount_matched: '2.5' })

  const killed = await bob.call('POST', '/order', buy('FOK'))
  expect(killed.body.code).toBe('fok_not_filled')
  expect(await seen(killed.body.orderId)).toMatchObject({ original_size: '100', size_matched: '0', state: 'rejected' })
})
