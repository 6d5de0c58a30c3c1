import type { PageLoad } from './$types'

/** Tells the layout that the page comes from the device, and knows nobody. */
export const load: PageLoad = () => ({ offline: true })
