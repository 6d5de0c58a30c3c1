/** Rows as columns that line up, two spaces apart. Columns named in `right` end flush. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const width = (index: number) => Math.max(...rows.map((row) => row[index]?.length ?? 0))
  const widths = Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, index) => width(index))
  const pad = (cell: string, index: number) => (right.includes(index) ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!))
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

/** A table with its headings; a sentence where there are no rows. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
  right: readonly number[] = [],
): string => (rows.length === 0 ? none : columns([headings, ...rows], right))

/** The beginning of a long text; no letter is cut in two. */
export const short = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
