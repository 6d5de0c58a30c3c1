import { ServiceError } from '@augury/wire/service-error'

/** The ORDER BY of a list; `columns` are those it may be sorted by, and `tie` makes the order total. Throws `invalid_sort_by`. */
export function orderBy(
  columns: Readonly<Record<string, string>>,
  { sortBy, sortOrder }: { sortBy?: string | undefined; sortOrder: 'asc' | 'desc' },
  usual: string,
  tie: string,
): string {
  const column = sortBy === undefined ? usual : sortBy
  if (!Object.hasOwn(columns, column)) throw new ServiceError('invalid_sort_by', { details: { sortBy: Object.keys(columns) } })
  return `${columns[column]} ${sortOrder} nulls last, ${tie}`
}

/** A search text as a LIKE pattern. */
export const pattern = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`
