import { termsOf } from '@augury/signing/amounts'
import { verifyOrder } from '@augury/signing/order-signature'
import { orderBody, type SignedBodyV2 } from '@augury/wire/order-body'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type OrderIntent, signOrder } from '../src/orders.ts'

const wallet = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const context = { wallet, chainId: 80002, apiKey: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', tickSize: '0.01' }

test.each<[OrderIntent, object]>([
  [
    { tokenId: '12', side: 'BUY', orderType: 'GTC', price: '0.42', size: '10' },
    { price: 4200, lots: 1000, budget: 0 },
  ],
  [
    { tokenId: '12', side: 'SELL', orderType: 'GTD', price: '0.9', size: '0.01', expiration: 1767225600 },
    { price: 9000, lots: 1, budget: 0 },
  ],
  [
    { tokenId: '12', side: 'BUY', orderType: 'FOK', price: '0.56', amount: '100' },
    { price: 5600, lots: 0, budget: 100_000_000 },
  ],
  [
    { tokenId: '12', side: 'SELL', orderType: 'FAK', price: '0.3', amount: '7.5' },
    { price: 3000, lots: 750, budget: 0 },
  ],
])('%j is signed so that the service reads the same terms', async (intent, terms) => {
  const { body, orderId } = await signOrder(intent, context)
  const read = orderBody.parse(JSON.parse(JSON.stringify(body))) as SignedBodyV2
  expect(read).toMatchObject({ owner: context.apiKey, orderType: intent.orderType })
  expect(read.order.expiration).toBe(String(intent.expiration ?? 0))
  const { makerAmount, takerAmount, signature, ...rest } = read.order
  const byBudget = intent.side === 'BUY' && intent.amount !== undefined
  expect(termsOf(intent.side, BigInt(makerAmount), BigInt(takerAmount), 100, byBudget)).toEqual(terms)
  const verified = await verifyOrder({ ...rest, makerAmount, takerAmount }, signature, false, { chainId: 80002, established: false })
  expect(verified).toEqual({ orderId, signedBy: wallet.address.toLowerCase() })
})

test('equal orders of the same millisecond have different ids', async () => {
  const intent = { tokenId: '12', side: 'BUY', orderType: 'GTC', price: '0.42', size: '10' } as const
  const [a, b] = await Promise.all([signOrder(intent, { ...context, now: 1 }), signOrder(intent, { ...context, now: 1 })])
  expect(a.orderId).not.toBe(b.orderId)
})

test.each<[string, Partial<OrderIntent>]>([
  ['half a lot', { size: '0.005' }],
  ['a price with five decimals', { price: '0.12345' }],
  ['a price of one', { price: '1' }],
  ['neither size nor amount', { size: undefined as unknown as string }],
  ['both size and amount', { amount: '5' }],
  ['a size of what is signed as a budget', { orderType: 'FOK' }],
  ['an amount to spend of what rests', { size: undefined as unknown as string, amount: '5' }],
])('%s is refused', async (_, change) => {
  await expect(signOrder({ tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '5', ...change }, context)).rejects.toThrow()
})
