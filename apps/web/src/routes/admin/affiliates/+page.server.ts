import { listAffiliates } from '@augury/platform/admin/affiliates'
import { adminAffiliateOperations } from '@augury/wire/platform/admin-affiliates'
import { readList } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const { query, list: affiliates } = await readList(adminAffiliateOperations.adminAffiliates, url, (query) =>
    listAffiliates(site, { query }),
  )
  return { query, affiliates }
}
