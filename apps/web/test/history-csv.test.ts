import type { Activity } from '@augury/wire/data'
import { expect, test } from 'vitest'
import { historyCsv } from '../src/lib/server/history-csv.ts'

const row = (more: Partial<Activity>) =>
  ({
    timestamp: 1_795_000_000,
    type: 'REDEEM',
    side: '',
    outcome: '',
    title: 'Rain?',
    size: 10,
    price: 1,
    fee: 0,
    usdcSize: 10,
    transactionHash: '0x1',
    ...more,
  }) as Activity

async function linesOf(...rows: Activity[]): Promise<string[]> {
  const parts: string[] = []
  for await (const part of historyCsv([rows])) parts.push(part)
  return parts.join('').split('\r\n')
}

test('a history begins with the byte order mark, by which a spreadsheet knows that it is UTF-8', async () => {
  const [head, line] = await linesOf(row({ title: 'Will Curaçao win?' }))
  expect(head).toBe('\uFEFFtime,type,side,outcome,market,shares,price,fee,usdc,transaction')
  expect(line).toContain(',Will Curaçao win?,')
})

test.each<[string, Partial<Activity>, string]>([
  ['a payout', { outcome: 'Yes' }, 'REDEEM,,Yes,Rain?,10,1,,10,0x1'],
  ['a payout of nothing', { outcome: 'No', price: 0, usdcSize: 0 }, 'REDEEM,,No,Rain?,10,0,,0,0x1'],
  ['a payout by halves', { outcome: 'No', price: 0.5, usdcSize: 5 }, 'REDEEM,,No,Rain?,10,0.5,,5,0x1'],
  ['a payout of both outcomes', { price: 0.6, usdcSize: 6 }, 'REDEEM,,,Rain?,10,,,6,0x1'],
  [
    'a trade',
    { type: 'TRADE', side: 'BUY', outcome: '=Yes', price: 0.4, fee: 0.1, usdcSize: 4 },
    `TRADE,BUY,"'=Yes",Rain?,10,0.4,0.1,-4.1,0x1`,
  ],
  ['a title of several lines', { title: '  @SUM(A1)\n"x"' }, `REDEEM,,,"'  @SUM(A1)\n""x""",10,,,10,0x1`],
])('%s is a line with its outcome and price', async (_, more, expected) => {
  expect((await linesOf(row(more)))[1]).toBe(`${new Date(1_795_000_000_000).toISOString()},${expected}`)
})
