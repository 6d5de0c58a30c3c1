import { defineEntity, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'

const schema = defineEntity({
  name: 'EventSearch',
  tableName: 'event_search',
  indexes: [
    { name: 'event_search_by_text', expression: 'create index event_search_by_text on event_search using gin (text gin_trgm_ops)' },
    { name: 'event_search_by_pair', expression: 'create index event_search_by_pair on event_search using gin (letter_pairs(text))' },
  ],
  properties: {
    event: () => p.oneToOne(Event).primary().deleteRule('cascade'),
    text: p.text(),
  },
})

/**
 * The searched texts: titles of events alone, equal to `Event.titleKey` by a trigger. Events are wide and change with every trade; these
 * rows do not, so that scanning all of them is cheap.
 */
export class EventSearch extends schema.class {}
schema.setClass(EventSearch)
