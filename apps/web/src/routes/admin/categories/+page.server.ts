import { listCategories } from '@augury/platform/admin/categories'
import { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

/** Most categories offered in choices. */
const MOST = 500

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminCategoryOperations.adminCategories, url)
  const [{ data: categories, totalCount }, { data: all }] = await Promise.all([
    listCategories(site, { query }),
    listCategories(site, { query: { limit: MOST, offset: 0, search: '', sortBy: 'name', sortOrder: 'asc' } }),
  ])
  return { query, categories, all, totalCount }
}
