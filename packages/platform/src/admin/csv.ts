/** A cell that a spreadsheet would take for a formula, or for more than one cell. */
const FORMULA = /^[=+\-@\t\r|%＝＋－＠]/

/** Byte order mark at the start of a CSV file: spreadsheets otherwise read UTF-8 in the encoding of their system. */
export const CSV_MARK = '\uFEFF'

/** Rows as CSV (RFC 4180). Texts that begin like a formula get an apostrophe in front, so that no spreadsheet evaluates them. */
export const csvOf = (rows: readonly (readonly (string | number | boolean)[])[]): string =>
  rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')

function cell(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const harmless = FORMULA.test(value.trimStart()) || FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
