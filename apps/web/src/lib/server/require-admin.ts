import type { Admin, Viewer } from '@augury/platform/identity/viewer'
import { redirect } from '@sveltejs/kit'

/** The admin who looks; anybody else is sent to sign in as one, and comes back. */
export function requireAdmin(viewer: Viewer, url: URL): Admin {
  if (viewer.kind !== 'member' || !viewer.isAdmin) redirect(303, `/login?next=${encodeURIComponent(url.pathname + url.search)}`)
  return viewer as Admin
}
