import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { viewer }, url }) => {
  requireAdmin(viewer, url)
}
