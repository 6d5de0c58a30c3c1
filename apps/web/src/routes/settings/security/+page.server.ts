import { listSessions } from '@augury/platform/identity/manage-sessions'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({
  sessions: viewer.kind === 'member' ? await listSessions(site, viewer) : [],
  now: site.now().getTime(),
})
