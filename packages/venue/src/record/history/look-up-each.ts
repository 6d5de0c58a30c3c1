/** Ids that are the second value of a statement, as `asked.id`. */
export const IDS = 'unnest($2::bytea[]) as asked (id)'

/**
 * SQL that runs a query for each of many things that are asked for, and so looks each up in an index. Whatever the planner believes of the
 * tables' sizes, `offset 0` keeps it from reading all of them instead, which it did where they had grown since it planned.
 */
export const lookUpEach = (asked: string, query: string): string =>
  `select found.* from ${asked} cross join lateral (${query} offset 0) found`
