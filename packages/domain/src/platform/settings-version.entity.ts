import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

export const settingsVersionSchema = defineEntity({
  name: 'SettingsVersion',
  tableName: 'settings_version',
  checks: [
    { name: 'settings_version_form', expression: `group_name ~ '^[a-z]+$' and number >= 1` },
    { name: 'settings_version_values', expression: `jsonb_typeof(values) = 'object' and octet_length(values::text) <= 400000` },
  ],
  properties: {
    /** The group of settings. */
    groupName: p.text().primary(),
    /** Version of the group, from 1; the highest is in effect. */
    number: p.integer().primary(),
    /** The whole group; what it lacks has its default. Never contains a secret. */
    values: p.json<Record<string, unknown>>(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
  },
})

/** A version of a group of the site's settings. Rows are only added. */
export class SettingsVersion extends settingsVersionSchema.class {}
settingsVersionSchema.setClass(SettingsVersion)
