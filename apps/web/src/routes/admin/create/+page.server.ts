import { listDrafts } from '@augury/platform/creation/drafts'
import { listSeries } from '@augury/platform/creation/event-series'
import { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminCreationOperations.adminDrafts, url)
  const [drafts, series] = await Promise.all([listDrafts(site, { query }), listSeries(site)])
  return { query, drafts: drafts.data, totalDrafts: drafts.totalCount, series: series.data, now: site.now().getTime() }
}
