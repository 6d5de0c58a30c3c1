import { mainTags } from '@augury/platform/events/main-tags'
import type { Platform } from '@augury/platform/platform'
import { log } from '#lib/server/log.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals: { platform, requestId, settings, theme } }) => ({
  theme,
  sandbox: settings.mode === 'sandbox',
  origin: settings.origin,
  categories: await categories(platform, requestId),
})

/** The tabs of the header. Without them a page still stands, an error page above all; so their failure is logged and no more. */
async function categories(platform: Platform, requestId: string) {
  try {
    return await mainTags(platform)
  } catch (error) {
    log.error({ requestId, error }, 'the categories could not be read')
    return []
  }
}
