import { defineEntity, type Opt, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'

export const eventSearchSchema = defineEntity({
  name: 'EventSearch',
  tableName: 'event_search',
  indexes: [
    { name: 'event_search_by_text', expression: 'create index event_search_by_text on event_search using gin (text gin_trgm_ops)' },
    { name: 'event_search_by_pair', expression: 'create index event_search_by_pair on event_search using gin (letter_pairs(text))' },
    { name: 'event_search_by_change', expression: 'create index event_search_by_change on event_search (changed)' },
  ],
  properties: {
    event: () => p.oneToOne(Event).owner().primary().deleteRule('cascade'),
    /** The title, for the release before this one. */
    text: p.text(),
    /**
     * Words of the title (`t/`), of the outcomes and questions (`n/`), of the slugs and the price series (`m/`), ids of the tags (`g/`) and the
     * status (`s/`).
     */
    terms: p.text().$type<Opt<string>>().columnType('tsvector').default(''),
    /** The transaction that wrote the row. */
    changed: p.text().$type<Opt<string>>().columnType('xid8').defaultRaw('pg_current_xact_id()'),
  },
})

/**
 * What events are found by, maintained by triggers only. Events are wide and change with every trade; these rows do not, so that trading
 * leaves them alone. Programs keep them in memory.
 */
export class EventSearch extends eventSearchSchema.class {}
eventSearchSchema.setClass(EventSearch)
