import { Readable } from 'node:stream'
import { ownHistory } from '@augury/platform/portfolio/own-history'
import { HISTORY_KINDS, readHistoryKind } from '#lib/portfolio/activity-words.ts'
import { historyCsv } from '#lib/server/history-csv.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { RequestHandler } from './$types'

/** The member's history as CSV, newest first. */
export const GET: RequestHandler = async ({ locals: { site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const pages = ownHistory(site, member, [...HISTORY_KINDS[readHistoryKind(url.searchParams.get('kind'))]])
  const newest = await pages.next() // before the response starts, so that an unavailable exchange is refused
  async function* all() {
    yield newest.value ?? []
    yield* pages
  }
  return new Response(Readable.toWeb(Readable.from(historyCsv(all()), { objectMode: false })) as ReadableStream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="augury-history.csv"',
      'cache-control': 'private, no-store',
    },
  })
}
