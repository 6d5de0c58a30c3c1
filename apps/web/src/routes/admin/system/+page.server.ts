import { showSystem } from '@augury/platform/admin/system'
import { listDeadLetters, listRuns, syncState } from '@augury/platform/sync/sync-state'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { PageServerLoad } from './$types'

const page = { limit: 20, offset: 0 }

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  requireAdmin(viewer, url)
  const job = url.searchParams.get('job') || null
  const [{ data: system }, jobs, runs, dead] = await Promise.all([
    showSystem(site),
    syncState(site),
    listRuns(site, { query: { ...page, job: job ?? undefined } }),
    listDeadLetters(site, { query: page }),
  ])
  return { system, jobs, job, runs: runs.data, dead: dead.data, now: site.now().getTime() }
}
