import type { Member, Viewer } from '@augury/platform/authorization/viewer'
import { redirect } from '@sveltejs/kit'

/** The signed-in member; redirects anybody else to sign in and back. */
export function requireMember(viewer: Viewer, url: URL): Member {
  if (viewer.kind !== 'member') redirect(303, `/login?next=${encodeURIComponent(url.pathname + url.search)}`)
  return viewer
}
