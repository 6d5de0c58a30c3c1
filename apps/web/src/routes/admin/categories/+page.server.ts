import { listCategories } from '@augury/platform/admin/categories'
import { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { readList } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

/** Most categories offered in choices. */
const MOST = 500

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const [{ query, list }, { data: all }] = await Promise.all([
    readList(adminCategoryOperations.adminCategories, url, (query) => listCategories(site, { query })),
    listCategories(site, { query: { limit: MOST, offset: 0, search: '', sortBy: 'name', sortOrder: 'asc' } }),
  ])
  return { query, categories: list.data, all, totalCount: list.totalCount }
}
