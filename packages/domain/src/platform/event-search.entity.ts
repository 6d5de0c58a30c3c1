import { defineEntity, type Opt, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'

const schema = defineEntity({
  name: 'EventSearch',
  tableName: 'event_search',
  indexes: [
    { name: 'event_search_by_text', expression: 'create index event_search_by_text on event_search using gin (text gin_trgm_ops)' },
    { name: 'event_search_by_pair', expression: 'create index event_search_by_pair on event_search using gin (letter_pairs(text))' },
    {
      name: 'event_search_by_term',
      expression: 'create index event_search_by_term on event_search using gin (terms) with (fastupdate = off)',
    },
  ],
  properties: {
    event: () => p.oneToOne(Event).primary().deleteRule('cascade'),
    /** The title, for the release before this one. */
    text: p.text(),
    /**
     * Words of the title (`t/`), of the outcomes and questions (`n/`), of the slugs and the price series (`m/`), ids of the tags (`g/`) and the
     * status (`s/`).
     */
    terms: p.text().$type<Opt<string>>().columnType('tsvector').default(''),
  },
})

/**
 * What events are found by, maintained by triggers only. Events are wide and change with every trade; these rows do not, so that trading
 * leaves their index alone.
 */
export class EventSearch extends schema.class {}
schema.setClass(EventSearch)

const wordSchema = defineEntity({
  name: 'SearchWord',
  tableName: 'search_word',
  indexes: [
    { name: 'search_word_by_word', expression: 'create index search_word_by_word on search_word (word)' },
    { name: 'search_word_by_deletion', expression: 'create index search_word_by_deletion on search_word using gin (deletions)' },
    { name: 'search_word_by_trigram', expression: 'create index search_word_by_trigram on search_word using gin (word gin_trgm_ops)' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    word: p.text(),
    /** The word, and what it becomes without one of its letters. */
    deletions: p.array(),
  },
})

/** A word of an event, for what is mistyped. Written by triggers only, sometimes twice. */
export class SearchWord extends wordSchema.class {}
wordSchema.setClass(SearchWord)
