import { mayBeMistyped } from '@augury/search/near'
import type { Form } from '@augury/search/read-search'
import type { Labels } from '@augury/search/search-index'
import { termsOf } from '@augury/search/terms'
import { labelOf } from '../cache/searched-events.ts'
import type { Platform } from '../site/platform.ts'

/** Tags that stand for a word. */
const TAGS = 50

/** A tag with the words of its names. */
interface SearchedTag {
  id: string
  terms: ReadonlySet<string>
}

const labelsOfTags = new WeakMap<object, Labels>()

/** All tags, which are few, by their names in every language: labels of the events that are filed under them. */
export async function searchedTags(platform: Platform): Promise<Labels> {
  const rows = await platform.lists.read(
    'searched tags',
    ['lists'],
    (): Promise<{ id: string; names: string }[]> =>
      platform.em().execute(
        `select id, concat_ws(E'\\n', name, slug, (select string_agg(text, E'\\n') from translation where kind = 'tag' and subject = tag.id)) as names
         from tag`,
      ),
  )
  const known = labelsOfTags.get(rows) ?? toLabels(rows.map(({ id, names }) => ({ id, terms: termsOf(names) })))
  labelsOfTags.set(rows, known)
  return known
}

function toLabels(tags: readonly SearchedTag[]): Labels {
  const has = (terms: ReadonlySet<string>, form: Form) =>
    form.every(({ text, isPrefix }) => terms.has(text) || (isPrefix && [...terms].some((term) => term.startsWith(text))))
  return {
    words: [...new Set(tags.flatMap(({ terms }) => [...terms]))].filter(mayBeMistyped),
    of: (forms) =>
      tags
        .filter(({ terms }) => forms.some((form) => has(terms, form)))
        .slice(0, TAGS)
        .map(({ id }) => labelOf(id)),
  }
}
