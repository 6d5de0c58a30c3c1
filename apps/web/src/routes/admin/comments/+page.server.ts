import { listAdminComments } from '@augury/platform/admin/comments'
import { adminCommentOperations } from '@augury/wire/platform/admin-comments'
import { readList } from '#lib/server/read-query.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const { query, list: comments } = await readList(adminCommentOperations.adminComments, url, (query) => listAdminComments(site, { query }))
  return { query, comments, now: site.now().getTime() }
}
