import type { PageLoad } from './$types'

/** Tells the layout that the page is cached and has no member. */
export const load: PageLoad = () => ({ offline: true })
