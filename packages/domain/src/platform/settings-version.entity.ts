import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

const schema = defineEntity({
  name: 'SettingsVersion',
  tableName: 'settings_version',
  checks: [
    { name: 'settings_version_form', expression: `group_name ~ '^[a-z]+$' and number >= 1` },
    { name: 'settings_version_values', expression: `jsonb_typeof(values) = 'object' and octet_length(values::text) <= 400000` },
  ],
  properties: {
    /** Which settings belong together. */
    groupName: p.text().primary(),
    /** Counts the changes of the group from 1; the highest holds. */
    number: p.integer().primary(),
    /** All of the group; what it lacks is a default. Never a secret. */
    values: p.json<Record<string, unknown>>(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
  },
})

/** A group of the site's settings as an admin left it. Rows are only added. */
export class SettingsVersion extends schema.class {}
schema.setClass(SettingsVersion)
