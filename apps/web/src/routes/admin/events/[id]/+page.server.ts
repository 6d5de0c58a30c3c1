import { showAdminEvent } from '@augury/platform/admin/list-events'
import { listTranslations } from '@augury/platform/translations/manage-translations'
import { error } from '@sveltejs/kit'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const load: PageServerLoad = async ({ locals: { site, viewer }, params: { id }, url }) => {
  requireAdmin(viewer, url)
  if (!ID.test(id)) error(404, 'There is no such event')
  const [{ data: shown }, { data: titles }] = await Promise.all([
    showAdminEvent(site, { params: { id } }),
    listTranslations(site, { params: { kind: 'event', id } }),
  ])
  return { ...shown, titles, now: site.now().getTime() }
}
