import { affiliateStatement } from '@augury/platform/affiliates/statement'
import { affiliatePageQueries } from '@augury/wire/platform/affiliates'
import { redirect } from '@sveltejs/kit'
import { readQuery } from '#lib/server/read-query.ts'
import type { PageServerLoad } from './$types'

/** Rows on the page. */
const SHOWN = 50

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  const { offset } = readQuery(affiliatePageQueries.affiliateStatement, url)
  const read = viewer.kind === 'member' ? await affiliateStatement(site, viewer, { query: { offset, limit: SHOWN + 1 } }) : null
  if (read?.shares.length === 0 && offset > 0) redirect(303, '/settings/affiliate')
  return {
    statement: read && { ...read, shares: read.shares.slice(0, SHOWN) },
    newer: offset > 0 ? `?offset=${Math.max(0, offset - SHOWN)}` : null,
    older: read && read.shares.length > SHOWN ? `?offset=${offset + SHOWN}` : null,
    now: site.now().getTime(),
  }
}
