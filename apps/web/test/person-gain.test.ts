import { PAGE_MAX } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { personGain } from '../src/lib/people/person-gain.ts'

const held = (cashPnl: number, realizedPnl = 0) => ({ cashPnl, realizedPnl })
const closed = (realizedPnl: number) => ({ realizedPnl })
const many = Array.from({ length: PAGE_MAX - 1 }, () => closed(-1))

test.each([
  ['what is held and what was', [held(2, 1), held(-0.5)], [closed(4), closed(-3)], 3.5],
  ['nothing, for who never traded', [], [], 0],
  ['every loss, however many there are', [held(9)], many, 9 - many.length],
  ['unknown, where a list may go on', [], [...many, closed(-1)], null],
  ['unknown, where what is held was not answered', null, [closed(4)], null],
  ['unknown, where what was held was not answered', [held(4)], null, null],
])('the gain of a person is %s', (_, open, past, gain) => {
  expect(personGain(open, past)).toBe(gain)
})
