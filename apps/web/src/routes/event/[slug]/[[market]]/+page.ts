import type { PageLoad } from './$types'

/** The part of the page that only events about a price have is loaded with those events. */
export const load: PageLoad = async ({ data, parent }) => {
  const { series } = await parent()
  return { ...data, SeriesCard: series ? (await import('#lib/components/SeriesCard.svelte')).default : null }
}
