import { listDrafts } from '@augury/platform/creation/drafts'
import { listSeries } from '@augury/platform/creation/event-series'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const [drafts, series] = await Promise.all([listDrafts(site), listSeries(site)])
  return { drafts: drafts.data, series: series.data, now: site.now().getTime() }
}
