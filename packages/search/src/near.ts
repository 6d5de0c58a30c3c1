/** Shortest and longest words in which a typing error is forgiven, and the length from which two are. */
const SHORTEST = 4
const LONGEST = 24
const TWICE = 8

/** Whether a word may be a typing error: numbers are never, and in three letters one error leaves too little. */
export const mayBeMistyped = (word: string): boolean => /^\D+$/.test(word) && word.length >= SHORTEST && word.length <= LONGEST

/** How many errors a word of this length may have. */
const allowed = (word: string): number => (word.length < TWICE ? 1 : 2)

/**
 * The words of a vocabulary that someone probably meant, nearest first: an error is a letter too few, too many, another one, or two that
 * changed places.
 */
export function nearWords(word: string, vocabulary: Iterable<string>, most: number): string[] {
  const limit = allowed(word)
  const found: { known: string; errors: number }[] = []
  const letters = lettersOf(word)
  for (const known of vocabulary) {
    if (Math.abs(known.length - word.length) > limit || bitsOf(lettersOf(known) ^ letters) > 2 * limit) continue
    const errors = errorsBetween(word, known, limit)
    if (errors <= limit) found.push({ known, errors })
  }
  const sameStart = (known: string) => Number(known[0] !== word[0])
  found.sort((a, b) => a.errors - b.errors || sameStart(a.known) - sameStart(b.known) || (a.known < b.known ? -1 : 1))
  return found.slice(0, most).map(({ known }) => known)
}

/** A set of letters, coarse: words with few errors between them have nearly the same. */
function lettersOf(word: string): number {
  let set = 0
  for (let n = 0; n < word.length; n++) set |= 1 << (word.charCodeAt(n) & 31)
  return set
}

function bitsOf(set: number): number {
  let bits = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) bits++
  return bits
}

/** Errors between two words; more than `limit` for any greater number. */
function errorsBetween(a: string, b: string, limit: number): number {
  let [before, above] = [[] as number[], Array.from({ length: b.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let errors = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) errors = Math.min(errors, before[j - 2]! + 1)
      row.push(errors)
    }
    if (Math.min(...row) > limit) return limit + 1
    before = above
    above = row
  }
  return above[b.length]!
}
