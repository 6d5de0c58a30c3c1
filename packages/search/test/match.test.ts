import { expect, test } from 'vitest'
import { matchedOutcome } from '../src/match.ts'
import { readSearch } from '../src/read-search.ts'

const OUTCOMES = [['Republicans'], ['Gavin Newsom'], ['JD Vance'], ['New York'], ['York Minster']]

test.each([
  ['vance', 2],
  ['newsom 2028', 1],
  ['2028 election', -1],
  ['gop', 0],
  ['york', 3],
  ['york minster', 4],
  ['politics', -1],
])('%s', (text, expected) => {
  expect(matchedOutcome(readSearch(text), 'Election of 2028', OUTCOMES)).toBe(expected)
})
