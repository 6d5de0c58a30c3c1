import { listUsers } from '@augury/platform/admin/users'
import { adminUserOperations } from '@augury/wire/platform/admin-users'
import { readList } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const { query, list: users } = await readList(adminUserOperations.adminUsers, url, (query) => listUsers(site, { query }))
  return { query, users, now: site.now().getTime() }
}
