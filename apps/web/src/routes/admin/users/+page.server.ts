import { listUsers } from '@augury/platform/admin/users'
import { adminUserOperations } from '@augury/wire/platform/admin-users'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminUserOperations.adminUsers, url)
  return { query, users: await listUsers(site, { query }), now: site.now().getTime() }
}
