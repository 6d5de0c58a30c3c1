import { signOrder } from '@augury/client/orders'
import type { PlainOrder, SignedBodyV2 } from '@augury/wire/order-body'
import { expect, test } from 'vitest'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const alice = await funded(running.url, wallets.alice, '100')
const { yes, no } = await registerMarket(running, 'named')

const limit = { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' }
/** Finds nothing to buy. */
const market = { tokenId: yes, side: 'BUY', orderType: 'FAK', price: '0.1', amount: '5' }

/** Another value for each field of a plain order, and the order that has it. The compiler demands every field. */
const changed: { readonly [F in keyof PlainOrder]-?: [order: object, value: object] } = {
  tokenId: [limit, { tokenId: no }],
  side: [limit, { side: 'SELL' }],
  orderType: [limit, { orderType: 'FAK' }],
  price: [limit, { price: '0.2' }],
  size: [limit, { size: '11' }],
  amount: [market, { amount: '6' }],
  expiration: [limit, { expiration: 4_000_000_000 }],
  postOnly: [limit, { postOnly: true }],
  stp: [limit, { stp: 'decrement' }],
  clientOrderId: [limit, { clientOrderId: 'another-name' }],
}

test.each(Object.entries(changed))('with another %s an order is another order', async (field, [order, value]) => {
  const named = { ...order, clientOrderId: `named-by-${field}` }
  const first = await alice.call('POST', '/order', named)
  const repeated = await alice.call('POST', '/order', named)
  expect([repeated.status, repeated.body.replayed]).toEqual([first.status, true])
  const other = await alice.call('POST', '/order', { ...named, ...value })
  const isRenamed = field === 'clientOrderId'
  expect([other.status, other.body.code]).toEqual(isRenamed ? [200, undefined] : [409, 'client_order_id_conflict'])
})

/** The same of what a wallet's order is sent with, as the id of the order covers what is signed. */
const beside: { readonly [F in Exclude<keyof SignedBodyV2, 'owner'>]-?: [value: object, code: string | null] } = {
  order: [{ expiration: '4000000000' }, 'duplicate_order'],
  orderType: [{ orderType: 'GTD' }, 'duplicate_order'],
  postOnly: [{ postOnly: true }, 'duplicate_order'],
  clientOrderId: [{ clientOrderId: 'another-name' }, 'client_order_id_conflict'],
  deferExec: [{ deferExec: true }, null],
}

test.each(Object.entries(beside))("with another %s a wallet's order is answered as it should be", async (field, [value, code]) => {
  const context = { wallet: wallets.alice, chainId: running.settings.chainId, apiKey: alice.key.key, tickSize: '0.01' }
  const signed = await signOrder({ tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' }, context)
  const body = signed.body as unknown as SignedBodyV2
  expect((await alice.call('POST', '/order', body)).status).toBe(200)
  const other = field === 'order' ? { ...body, order: { ...body.order, ...value } } : { ...body, ...value }
  const answer = await alice.call('POST', '/order', other)
  expect([answer.status, answer.body.code ?? answer.body.replayed]).toEqual(code === null ? [200, true] : [409, code])
})
