import { listOwnActivity } from '@augury/platform/portfolio/funds'
import { cashChange, HISTORY_KINDS, readHistoryKind } from '#lib/activity-words.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { RequestHandler } from './$types'

const PAGE = 500
const MOST = 20_000
const COLUMNS = ['time', 'type', 'side', 'outcome', 'market', 'shares', 'price', 'fee', 'usdc', 'transaction'] as const

/** A field that no spreadsheet takes for a formula. */
const field = (value: string | number) => {
  const text = typeof value === 'number' ? String(value) : /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** All that happened, newest first, as a table for a spreadsheet. Times in UTC, money in USDC: negative where it was spent. */
export const GET: RequestHandler = async ({ locals: { site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const type = [...HISTORY_KINDS[readHistoryKind(url.searchParams.get('kind'))]]
  const lines = [COLUMNS.join()]
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const rows = await listOwnActivity(site, member, { query: { market: [], type, limit: PAGE, offset } })
    for (const row of rows) {
      const { timestamp, side, outcome, title, size, price, fee, transactionHash } = row
      const at = new Date(timestamp * 1000).toISOString()
      lines.push(
        [at, row.type, side, outcome, title, size, ...(row.type === 'TRADE' ? [price, fee] : ['', '']), cashChange(row), transactionHash]
          .map(field)
          .join(),
      )
    }
    if (rows.length < PAGE) break
  }
  return new Response(`${lines.join('\r\n')}\r\n`, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="augury-history.csv"',
      'cache-control': 'private, no-store',
    },
  })
}
