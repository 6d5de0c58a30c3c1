import { expect, test } from 'vitest'
import { RequestName } from '../src/lib/failure/request-name.ts'

test('the same asked for again has the same name, until it is known what became of it', () => {
  const name = new RequestName()
  const first = name.of('split 5')
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(name.of('split 5')).toBe(first)
  const other = name.of('split 6')
  expect(other).not.toBe(first)
  name.forget()
  expect(name.of('split 6')).not.toBe(other)
})

test('a name that is forgotten here is not used again before the exchange forgets it', () => {
  let now = 1_000
  const name = new RequestName({ lasts: 500, now: () => now })
  const first = name.of('split 5')
  now += 499
  expect(name.of('split 5')).toBe(first)
  now += 1
  expect(name.of('split 5')).toBeNull()
  name.forget()
  expect(name.of('split 5')).not.toBe(first)
})
