import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'

const schema = defineEntity({
  name: 'ConditionChange',
  tableName: 'condition_change',
  checks: [
    { name: 'condition_change_ids', expression: bytesCheck(32, 'condition_id') },
    {
      name: 'condition_change_weight',
      expression: `(change = 'resolved') <= (weight is not null) and (weight is null or weight between 0 and 10000)`,
    },
    {
      name: 'condition_change_event',
      expression: '(event_id is null) = (event_size is null) and (event_id is null or octet_length(event_id) = 32)',
    },
  ],
  indexes: [
    {
      name: 'condition_change_by_condition',
      expression: 'create index condition_change_by_condition on condition_change (stream, condition_id, seq, n)',
    },
    {
      name: 'condition_change_by_event',
      expression: 'create index condition_change_by_event on condition_change (stream, event_id) where event_id is not null',
    },
  ],
  properties: {
    ...factKey(),
    conditionId: hexColumn(),
    change: p.enum(['registered', 'mode', 'grid', 'fee', 'resolved'] as const),
    mode: p.enum(['open', 'paused', 'cancel_only', 'closed', 'resolved'] as const),
    grid: p.smallint(),
    /** Millionths per Yes lot once resolved. */
    weight: p.smallint().nullable(),
    /** Of one that was registered as an answer of an event: which, and how many it has. */
    eventId: hexColumn().nullable(),
    eventSize: p.integer().nullable(),
  },
})

/** Fact: a condition was registered, changed its mode or terms, or was resolved. */
export class ConditionChange extends schema.class {}
schema.setClass(ConditionChange)
