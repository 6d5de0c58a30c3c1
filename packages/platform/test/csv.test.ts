import { expect, test } from 'vitest'
import { csvOf } from '../src/admin/csv.ts'

test.each([
  ['plain', 'plain\r\n'],
  ['=1+1', `"'=1+1"\r\n`],
  ['+49 30', `"'+49 30"\r\n`],
  ['-2', `"'-2"\r\n`],
  ['@SUM(A1)', `"'@SUM(A1)"\r\n`],
  ['\t=1', `"'\t=1"\r\n`],
  ['\r=1', `"'\r=1"\r\n`],
  ['  =1', `"'  =1"\r\n`],
  ['＝1+1', `"'＝1+1"\r\n`],
  ['＠SUM(A1)', `"'＠SUM(A1)"\r\n`],
  ["=cmd|' /C calc'!A0", `"'=cmd|' /C calc'!A0"\r\n`],
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"\r\n`],
  ['a,b', '"a,b"\r\n'],
  ['a"b', '"a""b"\r\n'],
  ['a\nb', '"a\nb"\r\n'],
  ['user@example.org', 'user@example.org\r\n'],
])('the text %j is the cell %j', (text, cell) => {
  expect(csvOf([[text]])).toBe(cell)
})

test('numbers stay numbers, even negative ones', () => {
  expect(
    csvOf([
      ['a', 'b', 'c'],
      [-1.5, true, 'x'],
    ]),
  ).toBe('a,b,c\r\n-1.5,true,x\r\n')
})
