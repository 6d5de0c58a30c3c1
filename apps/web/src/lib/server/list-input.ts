import type { ListQuery } from '#lib/list-query.ts'

/** What the list of events is asked for: a page's query, its length, and perhaps one tag. */
export const listInput = ({ saved, ...query }: ListQuery, limit: number, tag = 'trending') => ({
  query: { ...query, tag, bookmarked: saved, limit, locale: 'en' },
})
