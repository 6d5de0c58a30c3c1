import type { ListQuery } from '#lib/lists/list-query.ts'
import { getLocale } from '#lib/paraglide/runtime.js'

/** Input for the list of events: a page's query, its size, and optionally a tag; in the page's language. */
export const listInput = ({ saved, ...query }: ListQuery, limit: number, tag = 'trending') => ({
  query: { ...query, tag, bookmarked: saved, limit, locale: getLocale() },
})
