import { anyOf, tables } from '@augury/domain/platform/tables'
import { LOCALES, type Locale } from '@augury/wire/platform/settings'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../site/platform.ts'

/** The language that titles and names are written in. */
export const ORIGINAL = 'en' satisfies Locale

/** The site language of that code, or the original language where there is none. */
export const localeOf = (text: string): string => ((LOCALES as readonly string[]).includes(text) ? text : ORIGINAL)

/** What is translated: the title of an event, or the name of a category. */
export interface Subject {
  kind: 'event' | 'tag'
  id: string
}

/** The texts of some subjects in a language; subjects without a translation are missing. */
export async function translationsOf(
  platform: Platform,
  kind: Subject['kind'],
  ids: readonly string[],
  locale: string,
): Promise<Map<string, string>> {
  if (locale === ORIGINAL || ids.length === 0) return new Map()
  const rows = await tables(platform.em())
    .selectFrom('translation')
    .select(['subject', 'text'])
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .where('subject', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ subject, text }) => [subject, text]))
}

/** Stores a translation. One by the model never replaces one by a person. Returns whether it was stored. */
export async function keepTranslation(
  em: EntityManager,
  { kind, id }: Subject,
  { locale, text, byPerson }: { locale: string; text: string; byPerson: boolean },
  now: Date,
): Promise<boolean> {
  const said = { text, by_person: byPerson, updated_at: now }
  const written = await tables(em)
    .insertInto('translation')
    .values({ kind, subject: id, locale, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject', 'locale'])
        .doUpdateSet(said)
        .where((eb) => eb.or([eb('excluded.by_person', '=', true), eb('translation.by_person', '=', false)])),
    )
    .returning('locale')
    .execute()
  return written.length > 0
}
