import { expect, test } from 'vitest'
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
