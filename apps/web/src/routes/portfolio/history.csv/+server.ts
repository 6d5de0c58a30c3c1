import { csvOf } from '@augury/platform/admin/csv'
import { listOwnActivity } from '@augury/platform/portfolio/funds'
import { cashChange, HISTORY_KINDS, readHistoryKind } from '#lib/portfolio/activity-words.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { RequestHandler } from './$types'

const PAGE = 500
const MOST = 20_000
const COLUMNS = ['time', 'type', 'side', 'outcome', 'market', 'shares', 'price', 'fee', 'usdc', 'transaction'] as const

/** All that happened, newest first, as a table for a spreadsheet. Times in UTC, money in USDC: negative where it was spent. */
export const GET: RequestHandler = async ({ locals: { site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const type = [...HISTORY_KINDS[readHistoryKind(url.searchParams.get('kind'))]]
  const lines: (string | number)[][] = [[...COLUMNS]]
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const rows = await listOwnActivity(site, member, { query: { market: [], type, limit: PAGE, offset } })
    for (const row of rows) {
      const { timestamp, side, outcome, title, size, price, fee, transactionHash } = row
      const at = new Date(timestamp * 1000).toISOString()
      const trade = row.type === 'TRADE' ? [price, fee] : ['', '']
      lines.push([at, row.type, side, outcome, title, size, ...trade, cashChange(row), transactionHash])
    }
    if (rows.length < PAGE) break
  }
  return new Response(csvOf(lines), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="augury-history.csv"',
      'cache-control': 'private, no-store',
    },
  })
}
