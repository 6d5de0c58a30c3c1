import { showSystem } from '@augury/platform/admin/system'
import { listDeadLetters, listRuns, syncState } from '@augury/platform/sync/sync-state'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

const page = { query: { limit: 20, offset: 0 } }

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const [{ data: system }, jobs, runs, dead] = await Promise.all([
    showSystem(site),
    syncState(site),
    listRuns(site, page),
    listDeadLetters(site, page),
  ])
  return { system, jobs, runs: runs.data, dead: dead.data, now: site.now().getTime() }
}
