import { getSession } from '@augury/platform/identity/manage-sessions'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({
  user: (await getSession(site, viewer))!,
  /** Whether the site can send e-mail, and so verify addresses. */
  writes: site.mailer !== null,
})
