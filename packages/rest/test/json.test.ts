import { orderBody } from '@augury/wire/order-body'
import { expect, test } from 'vitest'
import { readFast } from '../src/fast-body.ts'
import { readJson } from '../src/json.ts'

const read = (text: string) => readJson(Buffer.from(text))

test.each([
  ['a NUL', '{"a":"x\\u0000y"}'],
  ['a NUL among keys', '{"a\\u0000":1}'],
  ['a NUL deep within', '[[{"a":["\\u0000"]}]]'],
  ['half of a letter', '{"a":"\\ud83c"}'],
  ['its other half', '{"a":"\\uDF27"}'],
  ['both the wrong way around', '{"a":"\\udf27\\ud83c"}'],
])('%s is malformed text', (_, text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
})

test.each<[string, unknown]>([
  ['{"a":"\\ud83c\\udf27"}', { a: '🌧' }],
  ['"\\u00e9\\n"', 'é\n'],
  ['{"a":"\\\\u0000"}', { a: '\\u0000' }],
])('%s is well-formed', (text, value) => {
  expect(read(text)).toEqual(value)
})

test.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":1}', '[{"b":{"a":":","a":1}}]', '{"a":1,"b":"\\"","a":1}'])(
  '%s has a key twice and is refused',
  (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
    expect(readFast(orderBody, Buffer.from(text))).toBeUndefined()
  },
)

test.each(['{"a":":","b":{"a":"\\\\"}}', '[{"a":1},{"a":2}]'])('%s has every key once', (text) => {
  expect(read(text)).toEqual(JSON.parse(text))
})

test('an order whose price comes twice is not read fast', () => {
  const order = '{"tokenId":"1","side":"BUY","orderType":"GTC","price":"0.1","size":"10"}'
  expect(readFast(orderBody, Buffer.from(order))).toEqual(JSON.parse(order))
  expect(readFast(orderBody, Buffer.from(order.replace('"size"', '"price":"0.9","size"')))).toBeUndefined()
})
