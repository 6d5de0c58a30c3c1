import { listSessions } from '@augury/platform/identity/manage-sessions'
import { listWaysIn } from '@augury/platform/passkeys/ways-in'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({
  sessions: viewer.kind === 'member' ? await listSessions(site, viewer) : [],
  ways: viewer.kind === 'member' ? await listWaysIn(site, viewer) : null,
  now: site.now().getTime(),
})
