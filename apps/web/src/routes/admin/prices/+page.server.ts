import { adminMainTags } from '@augury/platform/admin/categories'
import { listPriceSeries } from '@augury/platform/series/manage-series'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const [{ data: series }, { mainCategories }] = await Promise.all([listPriceSeries(site), adminMainTags(site)])
  return { series, categories: mainCategories, now: site.now().getTime() }
}
