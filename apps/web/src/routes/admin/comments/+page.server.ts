import { listAdminComments } from '@augury/platform/admin/comments'
import { adminCommentOperations } from '@augury/wire/platform/admin-comments'
import { readQuery } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const query = readQuery(adminCommentOperations.adminComments, url)
  return { query, comments: await listAdminComments(site, { query }), now: site.now().getTime() }
}
