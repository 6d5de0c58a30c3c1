import { fc } from '@augury/testing/properties'
import type { Schema } from '@augury/wire/operation'
import { cancelBody, orderBody, type PlainOrder, type SignedBodyV2 } from '@augury/wire/order-body'
import { parse } from '@augury/wire/parse'
import { ServiceError } from '@augury/wire/service-error'
import { describe, expect, test } from 'vitest'
import { readFast } from '../src/fast-body.ts'
import { readJson } from '../src/json.ts'

const odd = fc.constantFrom(
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' 1',
  '-1',
  '01',
  '1.',
  '.5',
  '1e3',
  'ż',
  'x'.repeat(129),
  [],
  {},
  '__proto__',
)
const decimals = fc.oneof(fc.constantFrom('0', '0.5', '12.34', '1.0000000000000000001', '99999999999999999'), fc.nat().map(String))
const ids = fc.oneof(fc.stringMatching(/^[0-9A-Za-z]{1,20}$/), fc.constantFrom('1'.repeat(128), '1'.repeat(129), 'a"b', 'a\\b', 'é', '{}'))
/** A value that is mostly valid. */
const or = (fitting: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: fitting, weight: 12 }, { arbitrary: odd, weight: 1 })

type Values<T> = { readonly [F in keyof T]-?: fc.Arbitrary<unknown> }
const order = fc.record(
  {
    tokenId: or(ids),
    side: or(fc.constantFrom('BUY', 'SELL')),
    orderType: or(fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK')),
    price: or(decimals),
    size: or(decimals),
    amount: or(decimals),
    expiration: or(fc.oneof(fc.nat(), fc.constantFrom(253_402_300_799, 253_402_300_800, 2 ** 53))),
    postOnly: or(fc.boolean()),
    clientOrderId: or(fc.oneof(fc.stringMatching(/^[!-~]{1,20}$/), fc.constantFrom('a b', 'x'.repeat(64), 'x'.repeat(65)))),
    stp: or(fc.constantFrom('expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none', 'all')),
  } satisfies Values<PlainOrder>,
  { requiredKeys: [] },
)
const plainOrder = order.map((value) => ({ tokenId: '1', side: 'BUY', orderType: 'GTC', ...value }))
/** A valid order; only its optional keys vary. */
const goodOrder = fc
  .record(
    {
      postOnly: fc.boolean(),
      expiration: fc.nat(),
      clientOrderId: fc.stringMatching(/^[!-~]{1,20}$/),
      stp: fc.constantFrom('decrement', 'none'),
    },
    { requiredKeys: [] },
  )
  .map((value) => ({ tokenId: '71', side: 'SELL', orderType: 'FOK', ...value }))
const sized = fc.oneof(
  goodOrder.map((one) => ({ ...one, price: '0.5', size: '10' })),
  goodOrder.map((one) => ({ ...one, amount: '7.5' })),
)
const hexOf = (bytes: number) =>
  fc.tuple(fc.nat(255), fc.boolean()).map(([byte, upper]) => {
    const digits = byte.toString(16).padStart(2, '0').repeat(bytes)
    return `0x${upper ? digits.toUpperCase() : digits}`
  })
const uints = fc.oneof(
  fc.nat().map(String),
  fc.bigInt({ min: 0n, max: 2n ** 257n }).map(String),
  fc.constantFrom(String(2n ** 256n - 1n), String(2n ** 256n), '9'.repeat(77), '9'.repeat(78), '1'.repeat(79), '00'),
)
const uint = fc.oneof(fc.nat().map(String), fc.constantFrom(String(2n ** 256n - 1n), '9'.repeat(77)))
const signedFields = (
  numbers: fc.Arbitrary<string>,
  by: (fitting: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>,
): Values<SignedBodyV2['order']> => ({
  ...{ salt: by(fc.oneof(numbers, fc.maxSafeNat())), maker: by(hexOf(20)), signer: by(hexOf(20)), tokenId: by(numbers) },
  ...{ makerAmount: by(numbers), takerAmount: by(numbers), side: by(fc.constantFrom('BUY', 'SELL')) },
  ...{ signatureType: by(fc.constantFrom(0, 1, 2, 3)), timestamp: by(numbers), metadata: by(hexOf(32)), builder: by(hexOf(32)) },
  ...{ signature: by(fc.oneof(hexOf(65), hexOf(80))), expiration: by(numbers), taker: by(hexOf(20)) },
})
const signedEnvelope = (by: (fitting: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>): Values<Omit<SignedBodyV2, 'order'>> => ({
  ...{ owner: by(fc.uuid()), orderType: by(fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK')), postOnly: by(fc.boolean()) },
  ...{ deferExec: by(fc.boolean()), clientOrderId: by(fc.stringMatching(/^[!-~]{1,20}$/)) },
})
const asIs = (fitting: fc.Arbitrary<unknown>) => fitting
const mayLack: string[] = ['expiration', 'taker', 'postOnly', 'deferExec', 'clientOrderId']
/** A record with all required keys and some optional ones. */
const whole = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(fields, { requiredKeys: Object.keys(fields).filter((key) => !mayLack.includes(key)) })
const signedOrder = fc
  .tuple(fc.record(signedFields(uints, or), { requiredKeys: [] }), whole(signedEnvelope(or)))
  .map(([signed, beside]) => ({ ...beside, order: signed }))
const goodSigned = fc
  .tuple(whole(signedFields(uint, asIs)), whole(signedEnvelope(asIs)))
  .map(([signed, beside]) => ({ ...beside, order: signed }))
/** A valid order with one defect. */
const nearlySigned = fc
  .tuple(
    goodSigned,
    fc.constantFrom(...Object.keys(signedFields(uint, asIs)), 'nonce', '__proto__'),
    fc.oneof(odd, uints, fc.constant(undefined)),
  )
  .map(([body, key, value]) => ({ ...body, order: { ...body.order, [key]: value } }))
const cancel = fc.record({ orderId: or(ids), orderID: or(ids) }, { requiredKeys: [] })
const goodCancel = fc
  .tuple(fc.constantFrom('orderId', 'orderID'), fc.stringMatching(/^[0-9A-Za-z]{1,20}$/))
  .map(([key, id]) => ({ [key]: id }))
const stranger = fc.constantFrom('__proto__', 'constructor', 'order', 'side ', 'token_id')
const strange = fc.tuple(fc.oneof(order, cancel), stranger, odd).map(([value, key, more]) => ({ ...value, [key]: more }))

/** The JSON of a value as a client may write it, or nearly: compact or not, in other encodings, with a character lost, doubled or changed. */
const bytesOf = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { arbitrary: values.map((value) => Buffer.from(JSON.stringify(value))), weight: 6 },
    { arbitrary: values.map((value) => Buffer.from(JSON.stringify(value, null, 1))), weight: 1 },
    { arbitrary: values.map((value) => Buffer.from(`\ufeff${JSON.stringify(value)}`)), weight: 1 },
    { arbitrary: values.map((value) => Buffer.from(JSON.stringify(value), 'utf16le')), weight: 1 },
    {
      arbitrary: fc.tuple(values, fc.nat(), fc.uint8Array({ maxLength: 3 })).map(([value, at, put]) => {
        const bytes = Buffer.from(JSON.stringify(value))
        const cut = at % (bytes.length + 1)
        return Buffer.concat([bytes.subarray(0, cut), put, bytes.subarray(cut + 1)])
      }),
      weight: 2,
    },
  )

/** The result of the schema alone: a value, or the refusal. */
function bySchema(schema: Schema, body: Uint8Array): unknown {
  try {
    return parse(schema, readJson(body))
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

describe.each<[string, Schema, fc.Arbitrary<unknown>, number]>([
  ['orders', orderBody, fc.oneof(order, plainOrder, strange, sized, sized), 0.1],
  ['orders of wallets', orderBody, fc.oneof(signedOrder, nearlySigned, goodSigned, goodSigned), 0.1],
  ['cancels', cancelBody, fc.oneof(cancel, strange, goodCancel, goodCancel), 0.1],
])('%s read by hand', (_, schema, values, share) => {
  test('have the values that the schema reads, or are left to the schema', () => {
    let understood = 0
    let tried = 0
    fc.assert(
      fc.property(bytesOf(values), (body) => {
        tried++
        const read = readFast(schema, body)
        if (read === undefined) return
        understood++
        expect(read).toEqual(bySchema(schema, body))
      }),
      { numRuns: 3000 },
    )
    expect(understood / tried).toBeGreaterThan(share)
  })
})

const walletOrder = {
  order: {
    ...{
      salt: 265728,
      maker: `0x${'Ab'.repeat(20)}`,
      signer: `0x${'Ab'.repeat(20)}`,
      tokenId: '1'.repeat(77),
      side: 'BUY',
      signatureType: 0,
    },
    ...{ makerAmount: '2500000', takerAmount: '5000000', timestamp: '1795218597847', signature: `0x${'Cd'.repeat(65)}` },
    ...{ metadata: `0x${'00'.repeat(32)}`, builder: `0x${'0E'.repeat(32)}` },
  },
  ...{ owner: '823608a7-1d79-4f26-b26f-e55a3720f6ec', orderType: 'GTC' },
}

test.each<[string, Schema, unknown]>([
  ['a limit order', orderBody, { tokenId: '71', side: 'BUY', orderType: 'GTC', price: '0.5', size: '10' }],
  ['a market order', orderBody, { tokenId: '71', side: 'SELL', orderType: 'FAK', amount: '10', clientOrderId: 'mine-1' }],
  ["a wallet's order", orderBody, walletOrder],
  ['a cancel', cancelBody, { orderID: `0x${'Ab'.repeat(32)}` }],
])('%s is parsed', (_, schema, value) => {
  const body = Buffer.from(JSON.stringify(value))
  expect(readFast(schema, body)).toEqual(parse(schema, value))
})

const limit = { tokenId: '71', side: 'BUY', orderType: 'GTD', price: '0.5', size: '10' }
const more: { readonly [F in keyof PlainOrder]-?: object } = {
  ...{ tokenId: {}, side: {}, orderType: {}, price: {}, size: {}, amount: { amount: '5', orderType: 'FAK', size: undefined } },
  ...{ expiration: { expiration: 253_402_300_799 }, postOnly: { postOnly: true }, clientOrderId: { clientOrderId: 'mine' } },
  stp: { stp: 'decrement' },
}

test.each(Object.entries(more))('an order with a %s is not left to the slower parser', (field, value) => {
  const body = Buffer.from(JSON.stringify({ ...limit, ...value }))
  expect(readFast(orderBody, body)).toHaveProperty(field)
})
