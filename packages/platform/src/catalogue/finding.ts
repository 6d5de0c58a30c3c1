/** What an import did to a row that did not fit as it was. */
export type FindingKind =
  | 'malformed'
  | 'duplicate'
  | 'event_skipped'
  | 'end_from_event'
  | 'date_moved'
  | 'price_adjusted'
  | 'no_category'
  | 'membership_fixed'

/** One remark about one place of the file, such as `[3].markets[0].outcomePrices`. */
export interface Finding {
  kind: FindingKind
  place: string
  text: string
}

/** How many remarks of each kind there are, most first. */
export function countFindings(findings: readonly Finding[]): [kind: FindingKind, count: number][] {
  const counts = new Map<FindingKind, number>()
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
