import { listAllWithdrawals } from '@augury/platform/admin/withdrawals'
import { vaultOf } from '@augury/platform/chain/place'
import { adminWithdrawalOperations } from '@augury/wire/platform/admin-withdrawals'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminWithdrawalOperations.adminWithdrawals, url)
  return {
    query,
    isOnChain: vaultOf(site.settings) !== null,
    withdrawals: await listAllWithdrawals(site, { query }),
    now: site.now().getTime(),
  }
}
