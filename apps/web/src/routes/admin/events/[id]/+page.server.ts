import { adminMainTags } from '@augury/platform/admin/categories'
import { showAdminEvent } from '@augury/platform/admin/list-events'
import { UUID } from '@augury/platform/admin/uuid'
import { listSeries } from '@augury/platform/creation/event-series'
import { listPriceSeries } from '@augury/platform/series/manage-series'
import { settingsOf } from '@augury/platform/settings/site-settings'
import { listTranslations } from '@augury/platform/translations/manage-translations'
import { error } from '@sveltejs/kit'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, params: { id }, url }) => {
  requireAdmin(viewer, url)
  if (!UUID.test(id)) error(404, 'There is no such event')
  const [{ data: shown }, { data: titles }, tags, prices, recurring, { secondAdmin }] = await Promise.all([
    showAdminEvent(site, { params: { id } }),
    listTranslations(site, { params: { kind: 'event', id } }),
    adminMainTags(site),
    listPriceSeries(site),
    listSeries(site),
    settingsOf(site, 'resolution'),
  ])
  const series = [...prices.data, ...recurring.data].map(({ slug }) => slug)
  return { ...shown, titles, tags, secondAdmin, series: [...new Set(series)].sort(), now: site.now().getTime() }
}
