import type { Admin, Viewer } from '@augury/platform/authorization/viewer'
import { redirect } from '@sveltejs/kit'

/** The viewing admin; redirects anybody else to sign in and back. */
export function requireAdmin(viewer: Viewer, url: URL): Admin {
  if (viewer.kind !== 'member' || !viewer.isAdmin) redirect(303, `/login?next=${encodeURIComponent(url.pathname + url.search)}`)
  return viewer as Admin
}
