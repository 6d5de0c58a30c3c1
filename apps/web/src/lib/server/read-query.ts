import type { Input, Operation, Schema } from '@augury/wire/operation'
import { ServiceError } from '@augury/wire/service-error'

type WithQuery = Operation & { query: Schema }

/** Parses a page's query by the schema of the operation it uses. What cannot be read counts as left out, so that an address may be typed. */
export function readQuery<Op extends WithQuery>({ query }: Op, url: URL): Input<Op>['query'] {
  const values = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  for (const { path } of query.safeParse(values).error?.issues ?? []) delete values[String(path[0])]
  return query.parse(values) as Input<Op>['query']
}

/** A list and the query it is read by; an order that the list does not know counts as left out too. */
export async function readList<Op extends WithQuery, List>(
  operation: Op,
  url: URL,
  read: (query: Input<Op>['query']) => Promise<List>,
): Promise<{ query: Input<Op>['query']; list: List }> {
  const query = readQuery(operation, url)
  try {
    return { query, list: await read(query) }
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'invalid_sort_by')) throw error
    const usual = new URL(url)
    usual.searchParams.delete('sortBy')
    return readList(operation, usual, read)
  }
}
