import { adminMainTags } from '@augury/platform/admin/categories'
import { UUID } from '@augury/platform/admin/uuid'
import { checkStoredDraft, readDraft } from '@augury/platform/creation/drafts'
import { error } from '@sveltejs/kit'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, params, url }) => {
  requireAdmin(viewer, url)
  if (!UUID.test(params.id)) error(404, 'There is no such draft')
  const [draft, { data: check }, tags] = await Promise.all([
    readDraft(site.em(), params.id),
    checkStoredDraft(site, { params }),
    adminMainTags(site),
  ])
  return { draft, check, tags, now: site.now().getTime() }
}
