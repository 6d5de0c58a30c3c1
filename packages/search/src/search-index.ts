import { FIELDS, formsOf, NEAR_RANKS, RANKS, type Reach } from './match.ts'
import { mayBeMistyped, nearWords } from './near.ts'
import type { Clause, Form } from './read-search.ts'
import { termsOf } from './terms.ts'
import type { Term } from './word-forms.ts'

/** What an event is found by. */
export type Texts = Readonly<Record<(typeof FIELDS)[number], string>>

/** New words that are searched one by one before they are sorted in, and more of them where there are many words. */
const UNSORTED = 2000
/** Words that stand for a mistyped one. */
const NEAR = 8
/** Beyond the last field. */
const NOWHERE = FIELDS.length + 1

/** What places that a search does not find have in place of a score. */
export const NOT_FOUND = 255
/** More than the clauses of a search. */
const WORDS_IN_SCORE = 16

/** Gives others their turn. */
type Pause = () => Promise<unknown>

/**
 * Terms of the last field that no text has, such as ids of categories whose names can change: those that stand for a word, and the words
 * that stand for one.
 */
export interface Labels {
  words: readonly string[]
  of(forms: readonly Form[]): readonly string[]
}
const NO_LABELS: Labels = { words: [], of: () => [] }

interface Options {
  pause?: Pause | undefined
  labels?: Labels
}

/** What one search has looked up: by term and place the first field that has it. */
interface Words {
  size: number
  known: Map<string, Uint8Array>
  scratch: Scratch
}

/** Arrays with an element for each place. Each search takes over those of earlier ones: as garbage they would be megabytes for each. */
class Scratch {
  readonly #free: Uint8Array[]
  readonly #size: number
  readonly #taken: Uint8Array[] = []

  constructor(free: Uint8Array[], size: number) {
    this.#free = free
    this.#size = size
  }

  take(filling: number): Uint8Array {
    let array = this.#free.pop()
    while (array && array.length !== this.#size) array = this.#free.pop() // those of an index that was smaller
    const taken = array ?? new Uint8Array(this.#size)
    this.#taken.push(taken)
    return taken.fill(filling)
  }

  giveBack(): void {
    this.#free.push(...this.#taken.splice(0, Math.max(0, KEPT - this.#free.length)))
  }
}
/** Arrays that wait for the next search: about as many as one takes. */
const KEPT = 64

/** An index of events in memory, by their words. */
export class SearchIndex<Row> {
  readonly #rows: (Row | null)[] = []
  /** By word, the places of rows, with the field that has it: place × 4 + field, from 1. */
  readonly #places = new Map<string, number[]>()
  #sorted: string[] = []
  #unsorted: string[] = []
  /** Words that may be meant by a mistyped one, by length. */
  readonly #ofLength = new Map<number, string[]>()
  readonly #free: Uint8Array[] = []

  /** Adds a row; returns its place, by which it is removed. */
  add(row: Row, texts: Texts): number {
    return this.addTerms(
      row,
      FIELDS.map((field) => termsOf(texts[field])),
    )
  }

  /** Adds a row whose words are known, by field, and whose last field may have labels; returns its place. */
  addTerms(row: Row, fields: readonly Iterable<string>[]): number {
    const place = this.#rows.push(row) - 1
    const seen = new Set<string>()
    for (const [nth, terms] of fields.entries())
      for (const term of terms) {
        if (seen.has(term)) continue
        seen.add(term)
        const places = this.#places.get(term)
        if (places) places.push(place * 4 + nth + 1)
        else this.#learn(term, place * 4 + nth + 1)
      }
    return place
  }

  /** Removes the row at a place. Its words stay. */
  remove(place: number): void {
    this.#rows[place] = null
  }

  /** Replaces the row at a place by one with the same texts. */
  replace(place: number, row: Row): void {
    this.#rows[place] = row
  }

  /**
   * Rows that a search finds, with how well: the best is 0. Typing errors are forgiven when nothing else is found. Waits for `pause` between
   * words, so that others get their turns.
   */
  async find(clauses: readonly Clause[], pause?: Pause): Promise<{ row: Row; rank: number }[]> {
    const found = this.#found(await this.scores(clauses, RANKS, { pause }))
    if (found.length > 0) return found
    const near = this.withNearWords(clauses)
    return near ? this.#found(await this.scores(near, NEAR_RANKS, { pause })) : []
  }

  /** How many places there are, with those of removed rows. */
  get size(): number {
    return this.#rows.length
  }

  /** The row at a place; null when it was removed. */
  at(place: number): Row | null {
    return this.#rows[place] ?? null
  }

  /**
   * How well a search finds each place: first by the rank, then by how many words are there exactly as typed. 0 is the best, and `NOT_FOUND`
   * what is not found, or was removed.
   */
  async scores(
    clauses: readonly Clause[],
    ranks: typeof RANKS,
    { pause = async () => {}, labels = NO_LABELS }: Options = {},
  ): Promise<Uint8Array> {
    const size = this.#rows.length
    const scores = new Uint8Array(size).fill(NOT_FOUND)
    if (clauses.length === 0) return scores
    const words: Words = { size, known: new Map(), scratch: new Scratch(this.#free, size) }
    try {
      const exact: Uint8Array[] = []
      for (const clause of clauses) exact.push(await this.#nearest(formsOf(clause, 'exact')!, [], words, pause))
      const reaches = new Map<Reach, Uint8Array>()
      for (const [, reach] of ranks) if (!reaches.has(reach)) reaches.set(reach, await this.#furthest(clauses, reach, words, pause, labels))
      const tests = ranks.map(([most, reach]) => ({ most, fields: reaches.get(reach)! }))
      this.#score(scores, tests, exact)
      return scores
    } finally {
      words.scratch.giveBack()
    }
  }

  /** Writes the score of every place that the last and widest test finds. */
  #score(scores: Uint8Array, tests: readonly { most: number; fields: Uint8Array }[], exact: readonly Uint8Array[]): void {
    const widest = tests.at(-1)!
    for (let place = 0; place < scores.length; place++) {
      if (widest.fields[place]! > widest.most || this.#rows[place] === null) continue
      const rank = tests.findIndex(({ most, fields }) => fields[place]! <= most)
      const { most } = tests[rank]!
      let score = rank * WORDS_IN_SCORE
      for (const fields of exact) if (fields[place]! > most) score++
      scores[place] = score
    }
  }

  /** The clauses with the words that may be meant by mistyped ones; null when there are none. */
  withNearWords(clauses: readonly Clause[], labels: Labels = NO_LABELS): Clause[] | null {
    const near = clauses.map((clause) => ({ ...clause, near: this.#nearForms(clause, labels.words) }))
    return near.some((clause) => clause.near.length > 0) ? near : null
  }

  #found(scores: Uint8Array): { row: Row; rank: number }[] {
    const found: { row: Row; rank: number }[] = []
    for (const [place, rank] of scores.entries()) if (rank !== NOT_FOUND) found.push({ row: this.#rows[place]!, rank })
    return found
  }

  #learn(term: string, place: number): void {
    this.#places.set(term, [place])
    if (mayBeMistyped(term)) {
      const alike = this.#ofLength.get(term.length)
      if (alike) alike.push(term)
      else this.#ofLength.set(term.length, [term])
    }
    if (this.#unsorted.push(term) < Math.max(UNSORTED, this.#sorted.length >> 3)) return
    this.#sorted = merged(this.#sorted, this.#unsorted.sort())
    this.#unsorted = []
  }

  #nearForms({ mistyped }: Clause, others: readonly string[]): Form[] {
    if (mistyped === null) return []
    const lengths = [-2, -1, 0, 1, 2].map((more) => mistyped.length + more)
    const vocabulary = new Set([...lengths.flatMap((length) => this.#ofLength.get(length) ?? []), ...others])
    return nearWords(mistyped, vocabulary, NEAR).map((text) => [{ text, isPrefix: false }])
  }

  /** By place, the field up to which one must look to find all clauses. */
  async #furthest(clauses: readonly Clause[], reach: Reach, words: Words, pause: Pause, labels: Labels): Promise<Uint8Array> {
    const furthest = words.scratch.take(1)
    for (const clause of clauses) {
      const forms = formsOf(clause, reach)
      if (forms) keepGreater(furthest, await this.#nearest(forms, reach === 'exact' ? [] : labels.of(forms), words, pause))
    }
    return furthest
  }

  /** By place, the first field that has one of some forms, or the last where it has one of some labels. */
  async #nearest(forms: readonly Form[], labels: readonly string[], words: Words, pause: Pause): Promise<Uint8Array> {
    const nearest = words.scratch.take(NOWHERE)
    for (const form of forms) {
      await pause()
      keepLess(nearest, this.#fieldsOfForm(form, words))
    }
    for (const label of labels) this.#mark(nearest, label)
    return nearest
  }

  #fieldsOfForm(form: Form, words: Words): Uint8Array {
    const [first, ...others] = form.map((term) => this.#fieldsOfTerm(term, words))
    if (others.length === 0) return first!
    const furthest = words.scratch.take(NOWHERE)
    furthest.set(first!)
    for (const other of others) keepGreater(furthest, other)
    return furthest
  }

  #fieldsOfTerm({ text, isPrefix }: Term, { known, scratch }: Words): Uint8Array {
    const key = isPrefix ? `${text}*` : text
    const before = known.get(key)
    if (before) return before
    const nearest = scratch.take(NOWHERE)
    for (const word of isPrefix ? this.#beginningWith(text) : [text]) this.#mark(nearest, word)
    known.set(key, nearest)
    return nearest
  }

  #mark(nearest: Uint8Array, term: string): void {
    for (const each of this.#places.get(term) ?? []) {
      const [place, field] = [each >>> 2, each & 3]
      if (place < nearest.length && field < nearest[place]!) nearest[place] = field
    }
  }

  *#beginningWith(text: string): Generator<string> {
    for (let n = firstNotBefore(this.#sorted, text); n < this.#sorted.length && this.#sorted[n]!.startsWith(text); n++)
      yield this.#sorted[n]!
    for (const word of this.#unsorted) if (word.startsWith(text)) yield word
  }
}

function keepLess(into: Uint8Array, other: Uint8Array): void {
  for (let n = 0; n < into.length; n++) if (other[n]! < into[n]!) into[n] = other[n]!
}

function keepGreater(into: Uint8Array, other: Uint8Array): void {
  for (let n = 0; n < into.length; n++) if (other[n]! > into[n]!) into[n] = other[n]!
}

function firstNotBefore(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < text) from = middle + 1
    else to = middle
  }
  return from
}

function merged(a: readonly string[], b: readonly string[]): string[] {
  const all: string[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) all.push(j === b.length || (i < a.length && a[i]! < b[j]!) ? a[i++]! : b[j++]!)
  return all
}
