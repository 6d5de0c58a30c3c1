import { expect, test } from 'vitest'
import { address, bytes32, uint256 } from '../src/scalars.ts'

test.each<[text: string, valid: boolean]>([
  ['0', true],
  [(2n ** 256n - 1n).toString(), true],
  [(2n ** 256n).toString(), false],
  ...['1.5', '-1', '01', '0x1', '1e9', ' 1', '', 'one'].map((text): [string, boolean] => [text, false]),
])('“%s” is a number below 2^256: %s', (text, valid) => {
  expect(uint256.safeParse(text).success).toBe(valid)
})

test.each([
  [address, 20],
  [bytes32, 32],
] as const)('hex digits are the same in upper case, the x before them too', (schema, bytes) => {
  const lower = `0x${'ab'.repeat(bytes)}`
  for (const sent of [lower, lower.toUpperCase(), `0x${'AB'.repeat(bytes)}`, `0X${'ab'.repeat(bytes)}`]) {
    expect(schema.parse(sent)).toBe(lower)
  }
  for (const sent of [`0x${'ab'.repeat(bytes - 1)}`, 'ab'.repeat(bytes), `${lower}0`, `0xx${'ab'.repeat(bytes)}`]) {
    expect(schema.safeParse(sent).success).toBe(false)
  }
})
