/** Why an import changed or left out something. */
export type FindingKind =
  | 'malformed'
  | 'field_dropped'
  | 'duplicate'
  | 'not_open'
  | 'over'
  | 'event_skipped'
  | 'membership_fixed'
  | 'end_from_event'
  | 'date_moved'
  | 'price_adjusted'
  | 'no_category'
  | 'category_hidden'
  | 'more_pages'

/** One remark about one place of the file, such as `[3].markets[0].outcomePrices`. */
export interface Finding {
  kind: FindingKind
  place: string
  text: string
}

/** Kinds of what is in the file and not on the site. The others say what an import understood or adjusted. */
const LOSSES: ReadonlySet<FindingKind> = new Set([
  'malformed',
  'field_dropped',
  'duplicate',
  'not_open',
  'over',
  'event_skipped',
  'membership_fixed',
])

/** Returns whether a remark says that something was left out. */
export const isLoss = ({ kind }: Finding): boolean => LOSSES.has(kind)

/** Number of remarks of each kind, most frequent first. */
export function countFindings(findings: readonly Finding[]): [kind: FindingKind, count: number][] {
  const counts = new Map<FindingKind, number>()
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
