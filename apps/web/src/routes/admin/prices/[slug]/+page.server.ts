import { adminMainTags } from '@augury/platform/admin/categories'
import { priceSeriesState } from '@augury/platform/series/series-state'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, params: { slug }, url }) => {
  requireAdmin(viewer, url)
  const [{ data: state }, { mainCategories }] = await Promise.all([priceSeriesState(site, { params: { slug } }), adminMainTags(site)])
  return { state, categories: mainCategories, now: site.now().getTime() }
}
