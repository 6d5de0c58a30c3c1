import { defineEntity, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'
import { User } from './user.entity.ts'

/** `publishing`: its event is stored, and the exchange may know some of its markets; it can only be continued. */
const DRAFT_STATES = ['draft', 'publishing', 'published'] as const

export const eventDraftSchema = defineEntity({
  name: 'EventDraft',
  tableName: 'event_draft',
  checks: [
    { name: 'event_draft_content', expression: `jsonb_typeof(content) = 'object' and octet_length(content::text) <= 200000` },
    { name: 'event_draft_revision', expression: 'revision >= 1' },
    { name: 'event_draft_has_event', expression: `(state = 'draft') = (event_id is null)` },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    /** The content of the form; none of it is trusted before publication. */
    content: p.json<Record<string, unknown>>(),
    /** Incremented on every save, so that two windows do not overwrite each other. */
    revision: p.integer().default(1),
    state: p.enum(DRAFT_STATES).default('draft'),
    /** Why the last attempt to publish failed; empty otherwise. */
    problem: p.text().default(''),
    event: () => p.manyToOne(Event).nullable().unique(),
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3).index(),
  },
})

/** An event that is being written. */
export class EventDraft extends eventDraftSchema.class {}
eventDraftSchema.setClass(EventDraft)
