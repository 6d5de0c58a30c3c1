import type { LayoutLoad } from './$types'

/** Members load the header's tools for members; visitors, who come first of all, do not. */
export const load: LayoutLoad = async ({ data }) => ({
  ...data,
  MemberTools: data.member === null ? null : (await import('#lib/shell/MemberTools.svelte')).default,
})
