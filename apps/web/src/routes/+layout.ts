import type { LayoutLoad } from './$types'

/** Loads the members' part of the header for members only. */
export const load: LayoutLoad = async ({ data }) => ({
  ...data,
  MemberTools: data.member === null ? null : (await import('#lib/shell/MemberTools.svelte')).default,
})
