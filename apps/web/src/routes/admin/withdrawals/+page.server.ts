import { listAllWithdrawals } from '@augury/platform/admin/withdrawals'
import { adminWithdrawalOperations } from '@augury/wire/platform/admin-withdrawals'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminWithdrawalOperations.adminWithdrawals, url)
  return { query, withdrawals: await listAllWithdrawals(site, { query }), now: site.now().getTime() }
}
