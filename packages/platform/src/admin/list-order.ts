import { ServiceError } from '@augury/wire/service-error'

/** The ORDER BY of a list by the columns that it may be sorted by; `tie` makes it total. Refuses `invalid_sort_by`. */
export function orderBy(
  columns: Readonly<Record<string, string>>,
  { sortBy, sortOrder }: { sortBy?: string | undefined; sortOrder: 'asc' | 'desc' },
  usual: string,
  tie: string,
): string {
  const column = sortBy === undefined ? usual : sortBy
  if (!Object.hasOwn(columns, column)) throw new ServiceError('invalid_sort_by')
  return `${columns[column]} ${sortOrder} nulls last, ${tie}`
}

/** A text that is looked for, as a pattern of `like`. */
export const pattern = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`
