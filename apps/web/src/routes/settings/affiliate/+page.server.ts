import { affiliateStatement } from '@augury/platform/affiliates/statement'
import type { PageServerLoad } from './$types'

/** Rows on the page. */
const SHOWN = 50

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({
  statement: viewer.kind === 'member' ? await affiliateStatement(site, viewer, { query: { offset: 0, limit: SHOWN } }) : null,
  now: site.now().getTime(),
})
