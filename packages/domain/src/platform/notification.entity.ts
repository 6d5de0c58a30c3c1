import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

/** What a notification is about, and where it links to. */
export const NOTIFICATION_CATEGORIES = ['trade', 'system', 'general'] as const
export const LINK_TYPES = ['none', 'market', 'event', 'order', 'settings', 'profile', 'external'] as const

export const notificationSchema = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  checks: [
    { name: 'notification_texts', expression: 'length(title) >= 1 and length(title) <= 200 and length(description) <= 1000' },
    { name: 'notification_source_length', expression: 'length(source) >= 1 and length(source) <= 200' },
    { name: 'notification_link', expression: `link_type <> 'none' or (link_target = '' and link_url = '')` },
  ],
  uniques: [{ name: 'notification_source_unique', properties: ['user', 'source'] }],
  indexes: [
    {
      name: 'notification_newest',
      expression: 'create index notification_newest on notification (user_id, created_at desc, id desc)',
    },
    {
      name: 'notification_by_insertion',
      expression: 'create index notification_by_insertion on notification (user_id, id)',
    },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    /** What it reports: the same source is notified only once. */
    source: p.text(),
    category: p.enum(NOTIFICATION_CATEGORIES),
    title: p.text(),
    description: p.text(),
    metadata: p.json<Record<string, unknown>>().default('{}'),
    linkType: p.enum(LINK_TYPES).default('none'),
    /** A slug, or an id. */
    linkTarget: p.text().default(''),
    linkUrl: p.text().default(''),
    readAt: p.datetime(3).nullable(),
    /** When it happened. */
    createdAt: p.datetime(3),
  },
})

/** A notification of a member. */
export class Notification extends notificationSchema.class {}
notificationSchema.setClass(Notification)
