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
  const rows: { subject: string; text: string }[] = await platform
    .em()
    .execute(
      `select subject, text from translation where kind = ? and locale = ? and subject in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
      [kind, locale, JSON.stringify(ids)],
    )
  return new Map(rows.map(({ subject, text }) => [subject, text]))
}

/** Stores a translation. One by the model never replaces one by a person. Returns whether it was stored. */
export async function keepTranslation(
  em: EntityManager,
  { kind, id }: Subject,
  { locale, text, byPerson }: { locale: string; text: string; byPerson: boolean },
  now: Date,
): Promise<boolean> {
  const written = await em.execute(
    `insert into translation (kind, subject, locale, text, by_person, updated_at) values (?, ?, ?, ?, ?, ?)
     on conflict (kind, subject, locale) do update set text = excluded.text, by_person = excluded.by_person, updated_at = excluded.updated_at
     where excluded.by_person or not translation.by_person returning locale`,
    [kind, id, locale, text, byPerson, now],
  )
  return written.length > 0
}
