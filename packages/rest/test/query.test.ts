import { expect, test } from 'vitest'
import { readQuery } from '../src/query.ts'

test('a single key is a text, a repeated one a list in order', () => {
  expect(readQuery('a=1&b=2&a=3&a=&c')).toEqual({ a: ['1', '3', ''], b: '2', c: '' })
  expect(readQuery('toString=1&toString=2')).toEqual({ toString: ['1', '2'] })
})

test('a query with too many pairs is refused', () => {
  expect(Object.keys(readQuery('a=1&'.repeat(500)))).toEqual(['a'])
  const refused = expect.objectContaining({ code: 'invalid_payload' })
  expect(() => readQuery('a=1&'.repeat(501))).toThrow(refused)
  expect(() => readQuery(Array.from({ length: 501 }, (_, n) => `k${n}`).join('&'))).toThrow(refused)
})

test.each(['__proto__=1', 'constructor[a]=1&constructor=2', 'prototype', 'a=%00', 'a=1&a=b%00c'])('%s is refused', (query) => {
  expect(() => readQuery(query)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
})
