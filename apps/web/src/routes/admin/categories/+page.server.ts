import { listCategories } from '@augury/platform/admin/categories'
import { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminCategoryOperations.adminCategories, url)
  const { data: categories, totalCount } = await listCategories(site, { query })
  return { query, categories, totalCount }
}
