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
 * What searches look through: the titles of events alone, as `Event.titleKey` has them; a trigger keeps them equal. Events change with every
 * trade and are long; this neither changes with them nor is it long, so that one look at all of it is cheap.
 */
export class EventSearch extends schema.class {}
schema.setClass(EventSearch)
