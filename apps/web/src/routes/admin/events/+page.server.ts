import { listAdminEvents } from '@augury/platform/admin/list-events'
import { adminEventOperations } from '@augury/wire/platform/admin-events'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminEventOperations.adminEvents, url)
  return { query, events: await listAdminEvents(site, { query }), now: site.now().getTime() }
}
