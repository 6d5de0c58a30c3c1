import { defineEntity, p } from '@mikro-orm/core'

/** What has translations. */
const TRANSLATED = ['event', 'tag'] as const

export const translationSchema = defineEntity({
  name: 'Translation',
  tableName: 'translation',
  checks: [
    { name: 'translation_locale', expression: `locale ~ '^[a-z]{2}$'` },
    { name: 'translation_text', expression: 'length(text) >= 1 and length(text) <= 400' },
  ],
  properties: {
    kind: p.enum(TRANSLATED).primary(),
    /** Id of the event or tag. */
    subject: p.uuid().primary(),
    locale: p.text().primary(),
    text: p.text(),
    /** Whether a person wrote it: then the model never replaces it. */
    byPerson: p.boolean(),
    updatedAt: p.datetime(3),
  },
})

/** The title of an event, or the name of a category, in another language. */
export class Translation extends translationSchema.class {}
translationSchema.setClass(Translation)
