import { readNotifications } from '@augury/platform/inbox/manage-notifications'
import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Notifications per page. */
const SHOWN = 50

export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  if (viewer.kind !== 'member') redirect(303, '/login?next=/notifications')
  const requested = Number(url.searchParams.get('offset') ?? 0)
  const offset = Number.isSafeInteger(requested) && requested > 0 ? Math.min(requested, 10_000) : 0
  const read = await readNotifications(site, viewer, { query: { offset, limit: SHOWN + 1 } })
  if (read.length === 0 && offset > 0) redirect(303, '/notifications')
  return {
    items: read.slice(0, SHOWN),
    newer: offset > 0 ? `?offset=${Math.max(0, offset - SHOWN)}` : null,
    older: read.length > SHOWN ? `?offset=${offset + SHOWN}` : null,
    now: site.now().getTime(),
  }
}
