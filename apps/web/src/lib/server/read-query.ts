import type { Input, Operation, Schema } from '@augury/wire/operation'
import { error } from '@sveltejs/kit'

/** What an address says for the list of a page, read as the list's own route would read it; a page with 400 where that refuses. */
export function readQuery<Op extends Operation & { query: Schema }>({ query }: Op, url: URL): Input<Op>['query'] {
  const given = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  const read = query.safeParse(given)
  if (!read.success) error(400, '')
  return read.data as Input<Op>['query']
}
