import { listAdmins } from '@augury/platform/admin/admins'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  const { address } = requireAdmin(viewer, url)
  return { own: address, admins: (await listAdmins(site)).data, now: site.now().getTime() }
}
