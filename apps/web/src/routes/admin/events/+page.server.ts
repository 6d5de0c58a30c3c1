import { adminMainTags } from '@augury/platform/admin/categories'
import { listAdminEvents } from '@augury/platform/admin/list-events'
import { adminEventOperations } from '@augury/wire/platform/admin-events'
import { readList } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const [{ query, list: events }, { mainCategories }] = await Promise.all([
    readList(adminEventOperations.adminEvents, url, (query) => listAdminEvents(site, { query })),
    adminMainTags(site),
  ])
  return { query, events, categories: mainCategories.map(({ slug, name }) => ({ slug, name })) }
}
