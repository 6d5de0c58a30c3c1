import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { jsonBytes } from '@augury/platform/cache/json-bytes'
import { expect, test } from 'vitest'
import { CommonBodies } from '../src/common-bodies.ts'

const value = Array.from({ length: 200 }, (_, number) => ({ number, text: 'Will it rain? Ärger' }))
const text = JSON.stringify(value)

test.each<[string | undefined, string | null]>([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0', null],
  ['identity', null],
  ['zstd', null],
  ['gzip;q=x', null],
  ['', null],
  [undefined, null],
])('for Accept-Encoding %s the coding is %s', async (accepted, coding) => {
  const { body, headers } = await new CommonBodies().of(jsonBytes(value), accepted)
  expect(headers).toEqual(coding === null ? {} : { 'Content-Encoding': coding })
  const read = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
  expect(read.toString()).toBe(text)
})

test('the bytes of a value are made once, and not shared with other values', async () => {
  const bodies = new CommonBodies()
  const both = await Promise.all([bodies.of(jsonBytes(value), 'br'), bodies.of(jsonBytes(value), 'br')])
  expect(both[0].body).toBe(both[1].body)
  expect((await bodies.of(jsonBytes(value), undefined)).body).toBe((await bodies.of(jsonBytes(value), '')).body)
  expect((await bodies.of(jsonBytes([...value, 1]), 'br')).body).not.toEqual(both[0].body)
})

test('a short body is not compressed', async () => {
  expect(await new CommonBodies().of(jsonBytes([]), 'br')).toEqual({ body: Buffer.from('[]'), headers: {} })
})
