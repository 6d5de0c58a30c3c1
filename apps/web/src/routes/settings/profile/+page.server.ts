import { getSession } from '@augury/platform/account/manage-sessions'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({
  user: (await getSession(site, viewer))!,
  /** Whether the site can write to an address, and so verify it. */
  writes: site.mailer !== null,
})
