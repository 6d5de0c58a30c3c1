import { getPreferences } from '@augury/platform/account/preferences'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({
  limits: viewer.kind === 'member' ? (await getPreferences(site, viewer)).limits : null,
})
