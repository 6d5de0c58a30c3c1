import { allowedCreators } from '@augury/platform/admin/creators'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  return { creators: (await allowedCreators(site, { query: {} })).items }
}
