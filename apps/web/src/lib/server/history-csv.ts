import { CSV_MARK, csvOf } from '@augury/platform/admin/csv'
import type { Activity } from '@augury/wire/data'
import { cashChange } from '#lib/portfolio/activity-words.ts'

const COLUMNS = ['time', 'type', 'side', 'outcome', 'market', 'shares', 'price', 'fee', 'usdc', 'transaction'] as const

/** Yields a history as a CSV file. Times in UTC, money in USDC, negative if spent. */
export async function* historyCsv(pages: Iterable<Activity[]> | AsyncIterable<Activity[]>): AsyncGenerator<string> {
  yield CSV_MARK + csvOf([COLUMNS])
  for await (const rows of pages) yield csvOf(rows.map(line))
}

function line(row: Activity): (string | number)[] {
  const { timestamp, type, side, outcome, title, size, price, fee, transactionHash } = row
  const at = new Date(timestamp * 1000).toISOString()
  // A payout of both outcomes at once has no single price.
  const isPriced = type === 'TRADE' || (type === 'REDEEM' && outcome !== '')
  return [at, type, side, outcome, title, size, isPriced ? price : '', type === 'TRADE' ? fee : '', cashChange(row), transactionHash]
}
