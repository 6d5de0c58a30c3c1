import type { Member, Viewer } from '@augury/platform/identity/viewer'
import { redirect } from '@sveltejs/kit'

/** Who is signed in; anybody else is sent to sign in first, and comes back. */
export function requireMember(viewer: Viewer, url: URL): Member {
  if (viewer.kind !== 'member') redirect(303, `/login?next=${encodeURIComponent(url.pathname + url.search)}`)
  return viewer
}
