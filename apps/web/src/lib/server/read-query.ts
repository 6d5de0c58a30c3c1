import type { Input, Operation, Schema } from '@augury/wire/operation'
import { error } from '@sveltejs/kit'

/** Parses a page's query by the schema of the operation it uses; an error page of status 400 if invalid. */
export function readQuery<Op extends Operation & { query: Schema }>({ query }: Op, url: URL): Input<Op>['query'] {
  const values = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  const read = query.safeParse(values)
  if (!read.success) error(400, '')
  return read.data as Input<Op>['query']
}
