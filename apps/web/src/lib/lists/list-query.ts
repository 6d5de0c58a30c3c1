import { DEEPEST_EVENT } from '@augury/wire/limits'
import { m } from '#lib/paraglide/messages.js'

/** Events per page of a list. */
export const PAGE_SIZE = 32

/** Orders of a list; the first is the default. */
export const SORTS = [
  { value: 'trending', label: m.sort_trending },
  { value: 'volume', label: m.sort_volume },
  { value: 'volume_24h', label: m.sort_volume_24h },
  { value: 'end_date', label: m.sort_end_date },
  { value: 'created_at', label: m.sort_created_at },
] as const
export type Sort = (typeof SORTS)[number]['value']

/** Filters by status; the first is the default. */
export const STATUSES = [
  { value: 'active', label: m.status_active },
  { value: 'resolved', label: m.status_resolved },
  { value: 'all', label: m.status_all },
] as const
export type Status = (typeof STATUSES)[number]['value']

/** The query of a list's URL. */
export interface ListQuery {
  sort: Sort
  status: Status
  search: string
  offset: number
  /** Only events saved by the member. */
  saved: boolean
}

const oneOf = <T extends string>(choices: readonly { value: T }[], value: string | null): T =>
  (choices.find((choice) => choice.value === value) ?? choices[0]!).value

/** Parses the query of a list; invalid values mean the default, so that old links still work. */
export function readListQuery(params: Pick<URLSearchParams, 'get'>): ListQuery {
  const offset = Number(params.get('offset') ?? 0)
  return {
    sort: oneOf(SORTS, params.get('sort')),
    status: oneOf(STATUSES, params.get('status')),
    search: (params.get('q') ?? '').trim().slice(0, 100),
    offset: Number.isSafeInteger(offset) && offset > 0 ? Math.min(offset, DEEPEST_EVENT) : 0,
    saved: params.get('saved') === '1',
  }
}

/** The query string of a list without defaults: "?sort=volume&offset=32", or empty. */
export function writeListQuery(query: Partial<ListQuery>): string {
  const params = new URLSearchParams()
  if (query.search) params.set('q', query.search)
  if (query.sort && query.sort !== SORTS[0].value) params.set('sort', query.sort)
  if (query.status && query.status !== STATUSES[0].value) params.set('status', query.status)
  if (query.saved) params.set('saved', '1')
  if (query.offset) params.set('offset', String(query.offset))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
