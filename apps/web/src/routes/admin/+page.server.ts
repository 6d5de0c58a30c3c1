import { dashboard } from '@augury/platform/admin/dashboard'
import { adminSystemOperations } from '@augury/wire/platform/admin-system'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, parent, url }) => {
  // The layout handles the link of the first start, which makes its holder an admin.
  await parent()
  requireAdmin(viewer, url)
  const query = readQuery(adminSystemOperations.adminDashboard, url)
  return { query, board: (await dashboard(site, { query })).data }
}
