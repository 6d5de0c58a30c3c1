import { expect, test } from 'vitest'
import { displayedPrice, type Quote } from '../src/displayed-price.ts'
import { ONE } from '../src/price.ts'

const TABLE: [what: string, bid: number | null, ask: number | null, last: number | null, shown: number | null][] = [
  ['a tight book shows its midpoint', 5300, 5400, 100, 5350],
  ['a midpoint may end in a half step', 5300, 5301, null, 5300.5],
  ['a spread of exactly 0.10 is tight', 4500, 5500, 9000, 5000],
  ['one step wider shows the last trade', 4500, 5501, 9000, 9000],
  ['a wide book without a trade shows its midpoint', 1000, 9000, null, 5000],
  ['a lone bid gives way to the last trade', 5300, null, 6000, 6000],
  ['a lone bid without a trade is shown', 5300, null, null, 5300],
  ['a lone ask without a trade is shown', null, 5400, null, 5400],
  ['an empty book shows the last trade', null, null, 1234, 1234],
  ['nothing at all has no price', null, null, null, null],
]

test.each(TABLE)('%s', (_, bid, ask, last, shown) => {
  expect(displayedPrice({ bid, ask, last })).toBe(shown)
})

test.each(TABLE)('No shows what Yes leaves: %s', (_, bid, ask, last, shown) => {
  const mirror = (k: number | null) => (k === null ? null : ONE - k)
  const yes: Quote = { bid, ask, last }
  const no: Quote = { bid: mirror(ask), ask: mirror(bid), last: mirror(last) }
  expect([displayedPrice(yes), displayedPrice(no)]).toEqual([shown, mirror(shown)])
})
