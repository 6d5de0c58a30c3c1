import { FIELDS, formsOf, type Reach } from '@augury/search/match'
import { deletionsOf, mayBeMistyped, nearWords } from '@augury/search/near'
import type { Clause, Form } from '@augury/search/read-search'
import { termsOf } from '@augury/search/terms'
import type { Platform } from '../platform.ts'

/** Prefixes of terms in `event_search`, by field. */
const PREFIXES = ['t', 'n', 'm'] as const satisfies { length: (typeof FIELDS)['length'] }
/** Tags that stand for a clause. */
const TAGS = 50
/** Words of the vocabulary that are compared with a mistyped word, and how many stand for it. */
const COMPARED = 400
const NEAR = 8
/** Length from which words are also found by their trigrams, as two errors are forgiven in them. */
const LONG = 8

/** A tag with the words of its names. */
interface SearchedTag {
  id: string
  terms: ReadonlySet<string>
}

const termsOfTags = new WeakMap<object, SearchedTag[]>()

/** All tags, which are few, with their names in every language. */
export async function searchedTags(platform: Platform): Promise<SearchedTag[]> {
  const rows = await platform.lists.read(
    'searched tags',
    ['lists'],
    (): Promise<{ id: string; names: string }[]> =>
      platform.em().execute(
        `select id, concat_ws(E'\\n', name, slug, (select string_agg(text, E'\\n') from translation where kind = 'tag' and subject = tag.id)) as names
         from tag`,
      ),
  )
  const known = termsOfTags.get(rows) ?? rows.map(({ id, names }) => ({ id, terms: termsOf(names) }))
  termsOfTags.set(rows, known)
  return known
}

const quoted = (lexeme: string, isPrefix = false) => `'${lexeme}'${isPrefix ? ':*' : ''}`
const any = (alternatives: readonly string[]) => `(${alternatives.join(' | ')})`

/** The `tsquery` for events that have all clauses in the first so many fields; terms have no character that needs escaping. */
export function tsquery(clauses: readonly Clause[], fields: number, reach: Reach, tags: readonly SearchedTag[]): string {
  const formQuery = (form: Form) =>
    `(${form.map(({ text, isPrefix }) => any(PREFIXES.slice(0, fields).map((prefix) => quoted(`${prefix}/${text}`, isPrefix)))).join(' & ')})`
  return clauses
    .flatMap((clause) => {
      const forms = formsOf(clause, reach)
      if (!forms) return []
      const filed = fields === FIELDS.length ? tagsOf(forms, tags).map((id) => quoted(`g/${id}`)) : []
      return any([...forms.map(formQuery), ...filed])
    })
    .join(' & ')
}

/** Ids of the tags whose names have a form. */
function tagsOf(forms: readonly Form[], tags: readonly SearchedTag[]): string[] {
  const has = (terms: ReadonlySet<string>, form: Form) =>
    form.every(({ text, isPrefix }) => terms.has(text) || (isPrefix && [...terms].some((term) => term.startsWith(text))))
  return tags
    .filter(({ terms }) => forms.some((form) => has(terms, form)))
    .slice(0, TAGS)
    .map(({ id }) => id)
}

/** The clauses with the words that may be meant by mistyped ones; null when there are none. */
export async function withNearWords(
  platform: Platform,
  clauses: readonly Clause[],
  tags: readonly SearchedTag[],
): Promise<Clause[] | null> {
  const ofTags = [...new Set(tags.flatMap(({ terms }) => [...terms]))].filter(mayBeMistyped)
  const near = await Promise.all(
    clauses.map(async (clause) => {
      if (clause.mistyped === null) return clause
      const vocabulary = new Set([...(await similarWords(platform, clause.mistyped)), ...ofTags])
      return { ...clause, near: nearWords(clause.mistyped, vocabulary, NEAR).map((text) => [{ text, isPrefix: false }]) }
    }),
  )
  return near.some((clause) => clause.near.length > 0) ? near : null
}

async function similarWords(platform: Platform, word: string): Promise<string[]> {
  const rows: { word: string }[] = await platform
    .em()
    .execute(
      `select distinct word from search_word where deletions && array(select jsonb_array_elements_text(?::jsonb))${word.length < LONG ? '' : ' or word % ?'} limit ?`,
      [JSON.stringify(deletionsOf(word)), ...(word.length < LONG ? [] : [word]), COMPARED],
    )
  return rows.map((row) => row.word)
}
