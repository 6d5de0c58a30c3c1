import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

export const themeSchema = defineEntity({
  name: 'Theme',
  tableName: 'theme',
  checks: [
    { name: 'theme_name', expression: 'length(name) >= 1 and length(name) <= 60' },
    { name: 'theme_tokens', expression: `jsonb_typeof(tokens) = 'object' and octet_length(tokens::text) <= 8000` },
    { name: 'theme_version', expression: 'version >= 1 and (activated_at is null or version is not null)' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    name: p.text(),
    tokens: p.json<Record<string, unknown>>(),
    /** Version number; null for a draft. */
    version: p.integer().nullable().unique(),
    /** When it was last put into effect; the latest of all is the theme in effect. */
    activatedAt: p.datetime(3).nullable().index(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** Colours and corners of the site: a draft, or an immutable version. */
export class Theme extends themeSchema.class {}
themeSchema.setClass(Theme)
