import { LONGEST_NAME, otherNames } from './aliases.ts'
import { mayBeMistyped } from './near.ts'
import { type Compound, compoundsOf, GRAM, runsOf } from './terms.ts'
import { otherForms, type Term } from './word-forms.ts'

/** Words that must occur together. */
export type Form = readonly Term[]

/** A word of a search, or several that name one thing, and what stands for it. */
export interface Clause {
  /** As typed, a word for its beginning too. */
  typed: readonly Form[]
  /** Other forms and other names. */
  meant: readonly Form[]
  /** What it may be a typing error of. Filled from a vocabulary, only when a search finds nothing. */
  near: Form[]
  /** The word if it may be a typing error. */
  mistyped: string | null
  /** Words of a question that an answer need not have. */
  isFiller: boolean
}

/** Words of a search that count, and characters of it. */
const WORDS = 8
const CHARACTERS = 200
const PARTS = 12

const FILLERS = new Set(
  'a an and are as at be by do does for from has have how if in is it of on or that the this to vs was what when where which who whom whose why will with el la los las un una de del en que quien cual por para con y o'.split(
    ' ',
  ),
)

/** Reads a search: all clauses must be found, in any order. None for a text without letters and digits. */
export function readSearch(text: string): Clause[] {
  const possessive = text.slice(0, CHARACTERS).replace(/['‘’ʼ`´＇]s(?=\s|$)/giu, '')
  const words = compoundsOf(possessive).slice(0, WORDS)
  const clauses: Clause[] = []
  for (let from = 0, parts = 0; from < words.length && parts < PARTS; ) {
    const length = nameLength(words.slice(from))
    const named = words.slice(from, from + length)
    clauses.push(clauseOf(named))
    from += length
    parts += named.flatMap((word) => word.parts).length
  }
  return clauses.some(({ isFiller }) => !isFiller) ? clauses : clauses.map((clause) => ({ ...clause, isFiller: false }))
}

/** How many of the next words are the longest known name; one if they are none. */
function nameLength(words: readonly Compound[]): number {
  for (let length = Math.min(LONGEST_NAME, words.length); length > 1; length--)
    if (otherNames(words.slice(0, length).flatMap(({ parts }) => parts)).length > 0) return length
  return 1
}

function clauseOf(words: readonly Compound[]): Clause {
  const parts = words.flatMap((word) => word.parts)
  const [only] = parts.length === 1 ? parts : []
  const split = parts.flatMap(typedTerms)
  const joined = words.flatMap(({ whole }) => typedTerms(whole))
  return {
    typed: joined.length === split.length ? [split] : [split, joined],
    meant: [
      ...(only === undefined ? inflected(parts) : otherForms(only).map((term) => [term])),
      ...otherNames(parts).map((name) => name.map((text) => ({ text, isPrefix: text.length > 4 }))),
    ],
    near: [],
    mistyped: only !== undefined && mayBeMistyped(only) ? only : null,
    isFiller: only !== undefined && FILLERS.has(only),
  }
}

/** Several words of which each may have another form. */
function inflected(parts: readonly string[]): Form[] {
  const forms = parts.map((part) => otherForms(part)[0])
  return forms.some(Boolean) ? [parts.flatMap((part, nth) => forms[nth] ?? typedTerms(part))] : []
}

/** A word as it is typed. In a script without spaces, all of its groups of letters. */
function typedTerms(word: string): Term[] {
  return runsOf(word).flatMap(({ run, isSpaceless }): Term[] => {
    const letters = [...run]
    if (!isSpaceless || letters.length <= GRAM) return [{ text: run, isPrefix: true }]
    return letters.slice(GRAM - 1).map((_, nth) => ({ text: letters.slice(nth, nth + GRAM).join(''), isPrefix: false }))
  })
}
