import type { Input, Operation, Schema } from '@augury/wire/operation'

/** Parses a page's query by the schema of the operation it uses. What cannot be read counts as left out, so that an address may be typed. */
export function readQuery<Op extends Operation & { query: Schema }>({ query }: Op, url: URL): Input<Op>['query'] {
  const values = Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ''))
  for (const { path } of query.safeParse(values).error?.issues ?? []) delete values[String(path[0])]
  return query.parse(values) as Input<Op>['query']
}
