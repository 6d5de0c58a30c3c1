import { expect, test } from 'vitest'
import { deadManOperations } from '../src/operations/dead-man.ts'
import { parse } from '../src/parse.ts'
import { secondsText } from '../src/query.ts'
import { isoOfYears } from '../src/scalars.ts'

test.each([
  ['2027-01-01T00:00:00Z', []],
  ['9999-12-31T23:59:59.999Z', []],
  ['9999-12-31T23:59:59-01:00', ['expected a year from 1970 to 9999']],
  ['1970-01-01T00:00:00+01:00', ['expected a year from 1970 to 9999']],
  ['0000-01-01T00:00:00Z', ['expected a year from 1970 to 9999']],
  ['soon', ['Invalid ISO datetime']],
  ['2027-02-29T00:00:00Z', ['Invalid ISO datetime']],
])('%s as a time of the years 1970 to 9999: %j', (text, faults) => {
  expect(
    isoOfYears(1970, 9999)
      .safeParse(text)
      .error?.issues.map(({ message }) => message) ?? [],
  ).toEqual(faults)
})

test.each(['1767182400000', '1.5', 'now', ''])('%s is no time in a query, which says what is', (text) => {
  expect(() => parse(secondsText, text)).toThrow(expect.objectContaining({ details: [{ path: '', problem: 'expected Unix seconds' }] }))
})

test.each(['5000', 1000.5])('%j as a time after which orders are cancelled is refused with the accepted range', (timeout_ms) => {
  const problem = 'expected 0, or a whole number from 1000 to 300000'
  const refused = expect.objectContaining({ details: [{ path: 'timeout_ms', problem }] })
  expect(() => parse(deadManOperations.cancelAfter.body, { timeout_ms })).toThrow(refused)
})
