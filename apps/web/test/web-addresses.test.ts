import { expect, test } from 'vitest'
import { piecesOf } from '../src/lib/parts/web-addresses.ts'

test.each([
  ['The station says so.', []],
  ['See https://example.com/a?b=1#c.', ['https://example.com/a?b=1#c']],
  ['(https://example.com/a), http://x.example: “https://y.example”', ['https://example.com/a', 'http://x.example', 'https://y.example']],
  ['https://example.com\nhttps://example.org/é', ['https://example.com', 'https://example.org/é']],
  ['javascript:alert(1) ftp://x https:// http://[', []],
])('of %j the web addresses can be followed, and nothing is lost', (text, addresses) => {
  const pieces = piecesOf(text)
  expect(pieces.filter(({ address }) => address).map((piece) => piece.text)).toEqual(addresses)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})
