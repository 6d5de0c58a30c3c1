import { Readable } from 'node:stream'
import { csvOf } from '@augury/platform/admin/csv'
import { ownHistory } from '@augury/platform/portfolio/own-history'
import type { Activity } from '@augury/wire/data'
import { cashChange, HISTORY_KINDS, readHistoryKind } from '#lib/portfolio/activity-words.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { RequestHandler } from './$types'

const COLUMNS = ['time', 'type', 'side', 'outcome', 'market', 'shares', 'price', 'fee', 'usdc', 'transaction'] as const

/** The member's history as CSV, newest first. Times in UTC, money in USDC, negative if spent. */
export const GET: RequestHandler = async ({ locals: { site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const pages = ownHistory(site, member, [...HISTORY_KINDS[readHistoryKind(url.searchParams.get('kind'))]])
  const newest = await pages.next() // before the response starts, so that an unavailable exchange is refused
  async function* table() {
    yield csvOf([COLUMNS, ...(newest.value ?? []).map(line)])
    for await (const rows of pages) yield csvOf(rows.map(line))
  }
  return new Response(Readable.toWeb(Readable.from(table(), { objectMode: false })) as ReadableStream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="augury-history.csv"',
      'cache-control': 'private, no-store',
    },
  })
}

function line(row: Activity): (string | number)[] {
  const { timestamp, side, outcome, title, size, price, fee, transactionHash } = row
  const at = new Date(timestamp * 1000).toISOString()
  const trade = row.type === 'TRADE' ? [price, fee] : ['', '']
  return [at, row.type, side, outcome, title, size, ...trade, cashChange(row), transactionHash]
}
