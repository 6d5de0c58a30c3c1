import { anonymous } from '@augury/platform/authorization/viewer'
import { listEvents } from '@augury/platform/events/list-events'
import { listThemes, showTheme } from '@augury/platform/themes/manage-themes'
import { themeCss } from '@augury/platform/themes/site-theme'
import { eventCard } from '#lib/lists/event-card.ts'
import { readListQuery } from '#lib/lists/list-query.ts'
import { listInput } from '#lib/server/list-input.ts'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const [{ data: now }, { data }, events] = await Promise.all([
    showTheme(site),
    listThemes(site),
    listEvents(site, anonymous, listInput(readListQuery(new URLSearchParams()), 2)),
  ])
  return { active: now, css: themeCss(now.tokens), ...data, samples: events.map((event) => eventCard(event)), now: site.now().getTime() }
}
