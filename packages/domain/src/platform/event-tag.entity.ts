import { defineEntity, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'
import { Tag } from './tag.entity.ts'

export const eventTagSchema = defineEntity({
  name: 'EventTag',
  tableName: 'event_tag',
  checks: [{ name: 'event_tag_position', expression: 'position >= 0' }],
  uniques: [{ name: 'event_tag_position_unique', properties: ['event', 'position'] }],
  properties: {
    event: () => p.manyToOne(Event).primary().deleteRule('cascade'),
    tag: () => p.manyToOne(Tag).primary().index(),
    position: p.smallint(),
  },
})

/** A tag of an event, in the order in which it is shown. */
export class EventTag extends eventTagSchema.class {}
eventTagSchema.setClass(EventTag)
