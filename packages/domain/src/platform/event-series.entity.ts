import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

/** How often the events of a series come. */
const RECURRENCES = ['daily', 'weekly', 'monthly'] as const

export const eventSeriesSchema = defineEntity({
  name: 'EventSeries',
  tableName: 'event_series',
  checks: [
    { name: 'event_series_slug_form', expression: `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 150` },
    { name: 'event_series_content', expression: `jsonb_typeof(content) = 'object' and octet_length(content::text) <= 200000` },
  ],
  properties: {
    slug: p.text().primary(),
    /** A draft with places for the date of each event. */
    content: p.json<Record<string, unknown>>(),
    recurrence: p.enum(RECURRENCES),
    /** When the next event of the series ends; it is made a recurrence before. */
    nextEnd: p.datetime(3),
    enabled: p.boolean().default(true),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** Events that come again and again. */
export class EventSeries extends eventSeriesSchema.class {}
eventSeriesSchema.setClass(EventSeries)
