import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const market = await registerMarket(running, 'causes')
const alice = await funded(running.url, wallets.alice, '100')

test('an order that cannot expire is refused with the reason', async () => {
  const far = Math.floor(Date.now() / 1000) + 3600
  const wrong = await alice.call('POST', '/order', limit(market.yes, 'BUY', '0.2', '10', { expiration: far }))
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: 'invalid expiration: only GTD orders have one', code: 'invalid_expiration' },
  })
})

test('weights that do not add up are refused with the required sum', async () => {
  const operator = await Caller.of(running.url, wallets.operator, 'venue')
  expect(await operator.call('POST', `/operator/conditions/${market.condition}/resolve`, { weights: [5000, 4000] })).toMatchObject({
    status: 400,
    body: { error: 'the weights of both outcomes have to be 10000 together', code: 'invalid_weight' },
  })
})
