import { mainTags } from '@augury/platform/events/main-tags'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals: { platform, theme, settings } }) => ({
  theme,
  sandbox: settings.mode === 'sandbox',
  origin: settings.origin,
  categories: await mainTags(platform),
})
