import { listAuditLog } from '@augury/platform/admin/audit-log'
import { adminAccessOperations } from '@augury/wire/platform/admin-access'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminAccessOperations.adminAuditLog, url)
  return { query, log: await listAuditLog(site, { query }), now: site.now().getTime() }
}
