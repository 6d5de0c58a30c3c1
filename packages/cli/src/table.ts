/** What terminals draw over two columns: letters of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const segmenter = new Intl.Segmenter()
const letters = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)
const columnsOf = (letter: string): number => (WIDE.test(letter) ? 2 : 1)
const widthOf = (text: string): number => letters(text).reduce((sum, letter) => sum + columnsOf(letter), 0)

/** Rows as columns that line up, two spaces apart. Columns named in `right` end flush. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const width = (index: number) => Math.max(...rows.map((row) => widthOf(row[index] ?? '')))
  const widths = Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, index) => width(index))
  const pad = (cell: string, index: number) => {
    const space = ' '.repeat(widths[index]! - widthOf(cell))
    return right.includes(index) ? space + cell : cell + space
  }
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

/** A table with its headings; a sentence where there are no rows. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
  right: readonly number[] = [],
): string => (rows.length === 0 ? none : columns([headings, ...rows], right))

/** The beginning of a long text, as wide as there are columns; no letter is cut in two. */
export function short(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let left = columns - 1
  for (const letter of letters(text)) {
    left -= columnsOf(letter)
    if (left < 0) break
    kept += letter
  }
  return `${kept}…`
}
