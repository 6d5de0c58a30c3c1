import { requireAdmin } from '#lib/server/require-admin.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = ({ locals: { viewer }, url }) => {
  requireAdmin(viewer, url)
}
