import { tables } from '@augury/domain/platform/tables'
import type { Admin } from '../authorization/viewer.ts'
import { settingsOf } from '../settings/site-settings.ts'
import type { Site } from '../site/site.ts'
import { ORIGINAL, type Subject } from '../translations/translations.ts'
import { suggestTranslation } from './assist.ts'

/**
 * Has the model translate what an admin just named into the languages of the site, where the settings say so and no person did. `renamed`: earlier
 * translations by the model are of another name. It goes on after the answer; without a model, or once its budget is spent, readers see the original.
 */
export const translateUnasked = (site: Site, admin: Admin, subject: Subject, { renamed = false } = {}): void =>
  site.background.follow(translate(site, admin, subject, renamed))

async function translate(site: Site, admin: Admin, { kind, id }: Subject, renamed: boolean): Promise<void> {
  const { automaticTranslations, enabledLocales } = await settingsOf(site, 'locales')
  if (!automaticTranslations) return
  const done = await tables(site.em())
    .selectFrom('translation')
    .select('locale')
    .where('kind', '=', kind)
    .where('subject', '=', id)
    .$if(renamed, (query) => query.where('by_person', '=', true))
    .execute()
  const locales = enabledLocales.filter((each) => each !== ORIGINAL && !done.some(({ locale }) => locale === each))
  if (locales.length > 0) await suggestTranslation(site, admin, { params: { kind, id }, body: { locales } })
}
