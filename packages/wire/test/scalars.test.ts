import { expect, test } from 'vitest'
import { uint256 } from '../src/scalars.ts'

test.each<[text: string, valid: boolean]>([
  ['0', true],
  [(2n ** 256n - 1n).toString(), true],
  [(2n ** 256n).toString(), false],
  ...['1.5', '-1', '01', '0x1', '1e9', ' 1', '', 'one'].map((text): [string, boolean] => [text, false]),
])('“%s” is a number below 2^256: %s', (text, valid) => {
  expect(uint256.safeParse(text).success).toBe(valid)
})
