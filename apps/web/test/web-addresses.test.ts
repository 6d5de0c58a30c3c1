import { expect, test } from 'vitest'
import { piecesOf } from '../src/lib/parts/web-addresses.ts'

test.each([
  ['The station says so.', []],
  ['See https://example.com/a?b=1#c.', ['https://example.com/a?b=1#c']],
  ['(https://example.com/a), http://x.example: “https://y.example”', ['https://example.com/a', 'http://x.example', 'https://y.example']],
  ['https://example.com\nhttps://example.org/é', ['https://example.com', 'https://example.org/é']],
  ['javascript:alert(1) ftp://x https:// http://[', []],
  ['[a](javascript:alert(1)) [b](//x.example) [c](data:text/html,x)', []],
])('of %j the web addresses can be followed, and nothing is lost', (text, addresses) => {
  const pieces = piecesOf(text)
  expect(pieces.filter(({ href }) => href !== null).map(({ href }) => href)).toEqual(addresses)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})

test.each([
  [
    'See [the rules](https://example.com/a), please.',
    [
      ['See ', null],
      ['the rules', 'https://example.com/a'],
      [', please.', null],
    ],
  ],
  [
    '[no [nesting](http://x.example)',
    [
      ['[no ', null],
      ['nesting', 'http://x.example'],
    ],
  ],
  [
    '[https://good.example](https://evil.example)',
    [
      ['https://good.example (', null],
      ['https://evil.example', 'https://evil.example'],
      [')', null],
    ],
  ],
])('%j has a link by its name, unless the name is another address', (text, expected) => {
  expect(piecesOf(text).map(({ text: piece, href }) => [piece, href])).toEqual(expected)
})
