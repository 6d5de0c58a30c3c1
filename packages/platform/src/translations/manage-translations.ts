import { lockName, tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminCategoryOperations } from '@augury/wire/platform/admin-categories'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { keepTranslation, type Subject } from '../translations/translations.ts'

type Answer = Output<typeof adminCategoryOperations.adminTranslations>

/** The texts of a subject in all languages. Throws `event_not_found` and `category_not_found`. */
export async function listTranslations(platform: Platform, { params }: { params: Subject }): Promise<Answer> {
  return { success: true, data: await read(platform.em(), params) }
}

async function read(em: EntityManager, { kind, id }: Subject): Promise<Answer['data']> {
  const original = await originalOf(em, { kind, id })
  const rows = await tables(em)
    .selectFrom('translation')
    .select(['locale', 'text', 'by_person'])
    .where('kind', '=', kind)
    .where('subject', '=', id)
    .orderBy('locale')
    .execute()
  return { original, translations: Object.fromEntries(rows.map(({ locale, ...row }) => [locale, row])) }
}

/** The text in the language it was written in. */
export async function originalOf(em: EntityManager, { kind, id }: Subject): Promise<string> {
  const row = await (kind === 'event'
    ? tables(em).selectFrom('event').select('title as text').where('id', '=', id)
    : tables(em).selectFrom('tag').select('name as text').where('id', '=', id)
  ).executeTakeFirst()
  if (!row) throw new ServiceError(kind === 'event' ? 'event_not_found' : 'category_not_found')
  return row.text
}

type Texts = Partial<Record<string, string>>

/**
 * Sets what an event or a category is called in other languages. An empty text removes the translation. Throws `changed_meanwhile` where the
 * texts are not those that the caller has seen.
 */
export function translate(
  site: Site,
  admin: Admin,
  { params, body }: { params: Subject; body: { translations: Texts; seen?: Texts | undefined } },
): Promise<Answer> {
  return runAsAdmin(site, admin, async (em, now) => {
    await lockName(em, 'augury translations', params.id)
    const current = await read(em, params)
    const before = current.translations
    const isWritten = ([locale, text = '']: [string, string?]) =>
      text === '' ? !before[locale] : before[locale]?.text === text && before[locale].by_person
    if (Object.entries(body.translations).every(isWritten)) return { answer: { success: true, data: current }, record: null }
    if (Object.entries(body.seen ?? {}).some(([locale, text]) => (before[locale]?.text ?? '') !== text))
      throw new ServiceError('changed_meanwhile')
    for (const [locale, text = ''] of Object.entries(body.translations)) {
      if (text === '')
        await tables(em)
          .deleteFrom('translation')
          .where('kind', '=', params.kind)
          .where('subject', '=', params.id)
          .where('locale', '=', locale)
          .execute()
      else await keepTranslation(em, params, { locale, text, byPerson: true }, now)
    }
    const after = await read(em, params)
    return {
      answer: { success: true, data: after },
      record: { action: 'translation_changed', target: params.id, before, after: after.translations },
    }
  })
}
