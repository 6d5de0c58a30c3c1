import { redirect } from '@sveltejs/kit'
import { splitLocale } from '#lib/language/locale.ts'
import type { LayoutServerLoad } from './$types'

/** Appearance is open to everybody, other settings to members. */
export const load: LayoutServerLoad = ({ locals: { viewer }, url }) => {
  const { path } = splitLocale(url.pathname)
  if (viewer.kind !== 'member' && path !== '/settings/appearance') redirect(303, `/login?next=${encodeURIComponent(path)}`)
}
