import { venueOperations } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { nameOrders } from '../src/name-orders.ts'

const plain = { tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '10' }
const own = { ...plain, clientOrderId: 'own' }
const signed = { order: { salt: '1' }, owner: 'key', orderType: 'GTC' }
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const { placeOrder, placeOrders, replaceOrder, cancelOrders } = venueOperations

test.each([
  ['a plain order', placeOrder, plain, { ...plain, clientOrderId: uuid }],
  ['an order that has a name', placeOrder, own, own],
  ['a signed order', placeOrder, signed, signed],
  ['a batch', placeOrders, [plain, own, signed], [{ ...plain, clientOrderId: uuid }, own, signed]],
  ['a batch of one', placeOrders, plain, { ...plain, clientOrderId: uuid }],
  ['a replacement', replaceOrder, { cancel: '0x1', order: plain }, { cancel: '0x1', order: { ...plain, clientOrderId: uuid } }],
  ['another operation', cancelOrders, ['0x1'], ['0x1']],
  ['a body that is missing', placeOrder, undefined, undefined],
])('%s', (_what, operation, body, expected) => {
  expect(nameOrders(operation, body)).toEqual(expected)
})

test('two calls are two orders', () => {
  const names = [1, 2].map(() => (nameOrders(placeOrder, plain) as { clientOrderId: string }).clientOrderId)
  expect(new Set(names).size).toBe(2)
})
