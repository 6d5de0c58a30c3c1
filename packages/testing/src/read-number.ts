/** A flag of a tool as a number. Throws a sentence that names the flag: with NaN a run would check nothing, and find nothing wrong. */
export function readNumber(flag: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!(number >= 0 && number < Number.POSITIVE_INFINITY)) throw new Error(`--${flag} needs a number, not ${text}`)
  return number
}
