import { titlesOf } from '@augury/platform/admin/list-events'
import { settingsHistory, showSettings } from '@augury/platform/settings/manage-settings'
import { type SettingsGroup, settingsGroups } from '@augury/wire/platform/settings'
import { error } from '@sveltejs/kit'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

const isGroup = (name: string): name is SettingsGroup => Object.hasOwn(settingsGroups, name)

export const load: PageServerLoad = async ({ locals: { site, viewer }, params: { group }, url }) => {
  requireAdmin(viewer, url)
  if (!isGroup(group)) error(404, 'There are no such settings')
  const [{ data: settings }, { data: history }] = await Promise.all([
    showSettings(site, group),
    settingsHistory(site, { params: { group } }),
  ])
  const titles = 'pinned' in settings.values ? await titlesOf(site, settings.values.pinned) : {}
  return { group, settings, history, titles, now: site.now().getTime() }
}
