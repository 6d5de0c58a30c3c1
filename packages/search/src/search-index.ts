import { FIELDS, formsOf, NEAR_RANKS, RANKS, type Reach } from './match.ts'
import { mayBeMistyped, nearWords } from './near.ts'
import type { Clause, Form } from './read-search.ts'
import { termsOf } from './terms.ts'
import type { Term } from './word-forms.ts'

/** What an event is found by. */
export type Texts = Readonly<Record<(typeof FIELDS)[number], string>>

/** New words that are searched one by one before they are sorted in. */
const UNSORTED = 2000
/** Words that stand for a mistyped one. */
const NEAR = 8
/** Beyond the last field. */
const NOWHERE = FIELDS.length + 1

/** An index of events in memory, by their words. */
export class SearchIndex<Row> {
  readonly #rows: (Row | null)[] = []
  /** By word, the places of rows, with the field that has it: place × 4 + field, from 1. */
  readonly #places = new Map<string, number[]>()
  #sorted: string[] = []
  #unsorted: string[] = []
  /** Words that may be meant by a mistyped one, by length. */
  readonly #ofLength = new Map<number, string[]>()

  /** Adds a row; returns its place, by which it is removed. */
  add(row: Row, texts: Texts): number {
    const place = this.#rows.push(row) - 1
    const seen = new Set<string>()
    for (const [nth, field] of FIELDS.entries())
      for (const term of termsOf(texts[field])) {
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
  async find(clauses: readonly Clause[], pause: () => Promise<unknown> = async () => {}): Promise<{ row: Row; rank: number }[]> {
    if (clauses.length === 0) return []
    const found = await this.#ranked(clauses, RANKS, pause)
    if (found.length > 0) return found
    const near = clauses.map((clause) => ({ ...clause, near: this.#nearForms(clause) }))
    return near.some((clause) => clause.near.length > 0) ? this.#ranked(near, NEAR_RANKS, pause) : []
  }

  #learn(term: string, place: number): void {
    this.#places.set(term, [place])
    if (mayBeMistyped(term)) {
      const alike = this.#ofLength.get(term.length)
      if (alike) alike.push(term)
      else this.#ofLength.set(term.length, [term])
    }
    if (this.#unsorted.push(term) < UNSORTED) return
    this.#sorted = merged(this.#sorted, this.#unsorted.sort())
    this.#unsorted = []
  }

  #nearForms({ mistyped }: Clause): Form[] {
    if (mistyped === null) return []
    const lengths = [-2, -1, 0, 1, 2].map((more) => mistyped.length + more)
    const vocabulary = lengths.flatMap((length) => this.#ofLength.get(length) ?? [])
    return nearWords(mistyped, vocabulary, NEAR).map((text) => [{ text, isPrefix: false }])
  }

  async #ranked(clauses: readonly Clause[], ranks: typeof RANKS, pause: () => Promise<unknown>): Promise<{ row: Row; rank: number }[]> {
    const size = this.#rows.length
    const fields = new Map<Reach, Uint8Array>()
    for (const [, reach] of ranks) if (!fields.has(reach)) fields.set(reach, await this.#fieldsOfAll(clauses, reach, size, pause))
    const tests = ranks.map(([most, reach]) => ({ most, fields: fields.get(reach)! }))
    const widest = tests.at(-1)!
    const found: { row: Row; rank: number }[] = []
    for (let place = 0; place < size; place++) {
      if (widest.fields[place]! > widest.most) continue
      const row = this.#rows[place]!
      if (row !== null) found.push({ row, rank: tests.findIndex(({ most, fields: of }) => of[place]! <= most) })
    }
    return found
  }

  /** By place, the field up to which one must look to find all clauses. */
  async #fieldsOfAll(clauses: readonly Clause[], reach: Reach, size: number, pause: () => Promise<unknown>): Promise<Uint8Array> {
    const furthest = new Uint8Array(size).fill(1)
    for (const clause of clauses) {
      const forms = formsOf(clause, reach)
      if (!forms) continue
      const nearest = new Uint8Array(size).fill(NOWHERE)
      for (const form of forms) {
        await pause()
        keepLess(nearest, this.#fieldsOfForm(form, size))
      }
      keepGreater(furthest, nearest)
    }
    return furthest
  }

  #fieldsOfForm(form: Form, size: number): Uint8Array {
    const [first, ...others] = form.map((term) => this.#fieldsOfTerm(term, size))
    for (const other of others) keepGreater(first!, other)
    return first!
  }

  #fieldsOfTerm({ text, isPrefix }: Term, size: number): Uint8Array {
    const nearest = new Uint8Array(size).fill(NOWHERE)
    for (const word of isPrefix ? this.#beginningWith(text) : [text])
      for (const each of this.#places.get(word) ?? []) {
        const [place, field] = [each >>> 2, each & 3]
        if (place < size && field < nearest[place]!) nearest[place] = field
      }
    return nearest
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
