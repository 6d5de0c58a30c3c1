import { describe, expect, test } from 'vitest'
import { cancelBody, cancelMarketBody, orderBatch, orderBody } from '../src/order-body.ts'
import { parse } from '../src/parse.ts'
import { ServiceError } from '../src/service-error.ts'

const address = `0x${'Ab'.repeat(20)}`
const plain = { tokenId: '123', side: 'BUY', orderType: 'GTC', price: '0.5', size: '10' }
const fields = {
  salt: 441806400000,
  maker: address,
  signer: address,
  tokenId: '123',
  makerAmount: '5000000',
  takerAmount: '10000000',
  side: 'BUY',
  signatureType: 0,
  signature: `0x${'AB'.repeat(65)}`,
}
const v1 = { ...fields, taker: `0x${'00'.repeat(20)}`, expiration: '0', nonce: '0', feeRateBps: '0' }
const v2 = { ...fields, timestamp: '1767225600000', metadata: `0x${'00'.repeat(32)}`, builder: `0x${'00'.repeat(32)}` }
const envelope = { owner: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', orderType: 'GTC' }

const refusal = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('accepted')
}

describe('an order in any form', () => {
  test.each([
    ['a limit order', plain],
    ['a market buy', { tokenId: '123', side: 'BUY', orderType: 'FOK', amount: '25.5' }],
    ['a market sell with a worst price', { tokenId: '123', side: 'SELL', orderType: 'FAK', amount: '3', price: '0.4' }],
    ['every option', { ...plain, orderType: 'GTD', expiration: 1767225600, postOnly: true, clientOrderId: 'quote-1', stp: 'decrement' }],
  ])('is plain: %s', (_, body) => {
    expect(parse(orderBody, body)).toEqual(body)
  })

  test('is signed: version 1 with its numbers as text, addresses in lower case', () => {
    expect(parse(orderBody, { order: v1, ...envelope, deferExec: false })).toMatchObject({
      order: { salt: '441806400000', maker: address.toLowerCase(), signature: `0x${'ab'.repeat(65)}`, nonce: '0' },
    })
  })

  test('is signed: version 2, expiration none unless given', () => {
    expect(parse(orderBody, { order: v2, ...envelope, postOnly: false })).toMatchObject({
      order: { timestamp: '1767225600000', expiration: '0' },
    })
  })

  test.each<[string, unknown, string]>([
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a text', 'order', ''],
    ['an unknown key', { ...plain, leverage: 3 }, ''],
    ['a price as a number', { ...plain, price: 0.5 }, 'price'],
    ['a negative size', { ...plain, size: '-1' }, 'size'],
    ['an exponent', { ...plain, size: '1e3' }, 'size'],
    ['an unknown side', { ...plain, side: 'buy' }, 'side'],
    ['no price', { ...plain, price: undefined }, ''],
    ['size and amount', { ...plain, amount: '1' }, ''],
    ['an amount that rests', { ...plain, size: undefined, price: undefined, amount: '1' }, ''],
    ['a client id with a space', { ...plain, clientOrderId: 'a b' }, 'clientOrderId'],
    ['a client id of 65', { ...plain, clientOrderId: 'a'.repeat(65) }, 'clientOrderId'],
    ['a short address', { order: { ...v1, maker: '0x12' }, ...envelope }, 'order.maker'],
    ['2^256', { order: { ...v1, takerAmount: (2n ** 256n).toString() }, ...envelope }, 'order.takerAmount'],
    ['signature type 4', { order: { ...v1, signatureType: 4 }, ...envelope }, 'order.signatureType'],
    ['a fraction as salt', { order: { ...v1, salt: 1.5 }, ...envelope }, 'order.salt'],
    ['an owner that is no key', { order: v1, ...envelope, owner: 'me' }, 'owner'],
    ['half of both versions', { order: { ...v1, timestamp: '1' }, ...envelope }, 'order'],
  ])('is refused: %s', (_, body, path) => {
    const error = refusal(() => parse(orderBody, body))
    expect(error.code).toBe('invalid_payload')
    if (path) expect((error.details as { path: string }[]).map((detail) => detail.path)).toContain(path)
  })
})

describe('a batch of orders', () => {
  test('a malformed leg is refused on its own', () => {
    const legs = parse(orderBatch, [plain, { ...plain, size: 'ten' }, { order: v2, ...envelope }]) as unknown[]
    expect(legs[0]).toEqual(plain)
    expect(legs[1]).toMatchObject({ invalid: { code: 'invalid_payload' } })
    expect(legs[2]).toMatchObject({ owner: envelope.owner })
  })

  test('may be one order', () => {
    expect(parse(orderBatch, plain)).toEqual(plain)
  })

  test.each([
    ['a price as a number', { ...plain, price: 0.5 }, 'price'],
    ['no token', { ...plain, tokenId: undefined }, 'tokenId'],
    ['a short address', { order: { ...v1, maker: '0x12' }, ...envelope }, 'order.maker'],
  ])('a single order with %s is refused for its own problem, not for being no list', (_, body, path) => {
    const { code, details } = refusal(() => parse(orderBatch, body))
    expect([code, details]).toEqual(['invalid_payload', [{ path, problem: expect.not.stringContaining('array') }]])
  })

  test.each([
    ['no switch', { order: v2, ...envelope, postOnly: null }, 'postOnly'],
    ['a kind of order that there is not', { order: v2, ...envelope, orderType: 'IOC' }, 'orderType'],
    ['an owner that is a number', { order: v1, ...envelope, owner: 7 }, 'owner'],
    ['one signed field missing', { order: { ...v2, builder: undefined }, ...envelope, orderType: 'IOC' }, 'order.builder'],
  ])('a signed order with %s hears what is wrong with its own form, not with another', (_, body, path) => {
    const { details } = refusal(() => parse(orderBatch, body))
    expect((details as { path: string }[])[0]!.path).toBe(path)
    expect(details).toHaveLength(path === 'order.builder' ? 2 : 1)
  })

  test.each([
    [0, 'invalid_payload', 'Invalid payload'],
    [16, 'too_many_items', 'Too many orders in payload: 16, max allowed: 15'],
  ])('of %i is refused', (count, code, text) => {
    const error = refusal(() => parse(orderBatch, Array(count).fill(plain)))
    expect([error.code, error.message]).toEqual([code, text])
  })
})

describe('what to cancel', () => {
  test.each([
    [{ orderId: '0xAB' }, { orderId: '0xAB' }],
    [{ orderId: '0xAB', orderID: '0xab' }, { orderId: '0xAB' }],
    [{ orderID: 'x' }, { orderId: 'x' }],
    [{ orderId: 'x', orderID: 'x' }, { orderId: 'x' }],
  ])('%j', (body, order) => {
    expect(parse(cancelBody, body)).toEqual(order)
  })

  test.each([{}, { orderId: '' }, { orderId: 1 }, { orderId: 'a', orderID: 'b' }, { orderId: 'a', market: 'b' }, [], null])(
    'is not %j',
    (body) => {
      expect(refusal(() => parse(cancelBody, body)).code).toBe('invalid_payload')
    },
  )

  test('of a market is given by the market or a token', () => {
    expect(parse(cancelMarketBody, { asset_id: '1' })).toEqual({ asset_id: '1' })
    const market = `0x${'AB'.repeat(32)}`
    expect(parse(cancelMarketBody, { market, asset_id: '' })).toEqual({ market: market.toLowerCase() })
    for (const nothing of [{}, { market: '', asset_id: '' }, { market: '0xAB' }, { asset_id: 'yes' }, { market, asset_id: '0x1' }])
      expect(refusal(() => parse(cancelMarketBody, nothing)).code).toBe('invalid_payload')
  })
})
