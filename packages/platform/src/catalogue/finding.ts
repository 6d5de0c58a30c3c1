/** Why an import changed or skipped a row. */
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

/** Number of remarks of each kind, most frequent first. */
export function countFindings(findings: readonly Finding[]): [kind: FindingKind, count: number][] {
  const counts = new Map<FindingKind, number>()
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
