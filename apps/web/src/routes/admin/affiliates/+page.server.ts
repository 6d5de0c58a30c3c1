import { listAffiliates } from '@augury/platform/admin/affiliates'
import { adminAffiliateOperations } from '@augury/wire/platform/admin-affiliates'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminAffiliateOperations.adminAffiliates, url)
  return { query, affiliates: await listAffiliates(site, { query }) }
}
