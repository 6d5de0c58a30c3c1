import type { ListQuery } from '#lib/lists/list-query.ts'
import { getLocale } from '#lib/paraglide/runtime.js'

/** What the list of events is asked for: a page's query, its length, and perhaps one tag; in the language of the page. */
export const listInput = ({ saved, ...query }: ListQuery, limit: number, tag = 'trending') => ({
  query: { ...query, tag, bookmarked: saved, limit, locale: getLocale() },
})
