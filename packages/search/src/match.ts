import type { Clause, Form } from './read-search.ts'
import { lettersOf, termsOf } from './terms.ts'

/** Fields of an event, the most telling first: its title, the names of its outcomes and its questions, and what it is filed under. */
export const FIELDS = ['title', 'names', 'marks'] as const

/** How clauses may be found: word by word as typed, by the beginnings of words, by other forms and names, and by words that are near. */
export type Reach = 'exact' | 'typed' | 'meant' | 'near'

/** What stands for a clause within reach; null where it need not be found. */
export function formsOf(clause: Clause, reach: Reach): readonly Form[] | null {
  if (reach === 'exact') return clause.typed.map((form) => form.map(({ text }) => ({ text, isPrefix: false })))
  if (reach === 'typed') return clause.typed
  if (clause.isFiller) return null
  return reach === 'meant' ? [...clause.typed, ...clause.meant] : [...clause.typed, ...clause.meant, ...clause.near]
}

/** How an event was found, the best first: in which fields at most, and by what. The first ones are found by the title alone. */
export const RANKS: readonly (readonly [fields: number, reach: Reach])[] = [
  [1, 'exact'],
  [1, 'typed'],
  [1, 'meant'],
  [2, 'typed'],
  [2, 'meant'],
  [3, 'meant'],
]
/** The same for a search that found nothing else. */
export const NEAR_RANKS: typeof RANKS = [
  [1, 'near'],
  [2, 'near'],
  [3, 'near'],
]

const REACHES: readonly Reach[] = ['exact', 'typed', 'meant', 'near']

function isIn(terms: ReadonlySet<string>, form: Form): boolean {
  return form.every(({ text, isPrefix }) => terms.has(text) || (isPrefix && [...terms].some((term) => term.startsWith(text))))
}

/** By how much a clause is found: the narrowest reach; Infinity for not at all. */
function reachIn(terms: ReadonlySet<string>, clause: Clause): number {
  const reach = REACHES.findIndex((each) => formsOf(clause, each)?.some((form) => isIn(terms, form)))
  return reach < 0 ? Number.POSITIVE_INFINITY : reach
}

/** Whether the letters of a form are in a text at all: told much sooner than its terms, and false of most outcomes. */
function mayBeIn(text: string, clauses: readonly Clause[]): boolean {
  const letters = lettersOf(text)
  return clauses.some((clause) => formsOf(clause, 'near')?.some((form) => form.every((term) => letters.includes(term.text))))
}

/**
 * Place of the outcome by whose names an event was found: the first that has most of what its title has not, as it was typed rather than
 * meant. -1 when the title has it all, or no outcome has any of it.
 */
export function matchedOutcome(clauses: readonly Clause[], title: string, outcomes: readonly (readonly string[])[]): number {
  const inTitle = termsOf(title)
  const missing = clauses.filter((clause) => !clause.isFiller && reachIn(inTitle, clause) === Number.POSITIVE_INFINITY)
  if (missing.length === 0) return -1
  let [best, most, least] = [-1, 0, Number.POSITIVE_INFINITY]
  for (const [place, names] of outcomes.entries()) {
    const text = names.join('\n')
    if (!mayBeIn(text, missing)) continue
    const terms = termsOf(text)
    const reaches = missing.map((clause) => reachIn(terms, clause)).filter(Number.isFinite)
    const sum = reaches.reduce((all, reach) => all + reach, 0)
    if (reaches.length > most || (reaches.length === most && most > 0 && sum < least)) [best, most, least] = [place, reaches.length, sum]
  }
  return best
}

/** Whether a text has all clauses, also by other forms and names. */
export function isFoundIn(text: string, clauses: readonly Clause[]): boolean {
  const terms = termsOf(text)
  return clauses.every((clause) => clause.isFiller || reachIn(terms, clause) < Number.POSITIVE_INFINITY)
}
