import { defineEntity, p } from '@mikro-orm/core'
import { priceColumn } from '../columns.ts'
import { Market } from './market.entity.ts'
import { User } from './user.entity.ts'

/** Kinds of steps of a resolution. */
export const RESOLUTION_STEPS = [
  'closed',
  'proposed',
  'disputed',
  'cancelled',
  'confirmed',
  'settled',
  'paid',
  'flagged',
  'unflagged',
  'paused',
  'resumed',
  'rescheduled',
] as const
/** Who can take a step: an operator, the rules of a price series, or the passing of time. */
const RESOLUTION_ACTORS = ['operator', 'series', 'clock'] as const

export const resolutionStepSchema = defineEntity({
  name: 'ResolutionStep',
  tableName: 'resolution_step',
  checks: [
    {
      name: 'resolution_step_weight',
      expression: `weight >= 0 and weight <= 10000 and (step not in ('proposed', 'confirmed') or weight is not null)`,
    },
    { name: 'resolution_step_deadline', expression: `step in ('proposed', 'rescheduled') or deadline_at is null` },
    { name: 'resolution_step_texts', expression: 'length(note) <= 2000 and length(actor) <= 200' },
  ],
  indexes: [
    {
      name: 'resolution_step_by_market',
      expression: 'create index resolution_step_by_market on resolution_step (market_condition_id, at, id)',
    },
    {
      name: 'resolution_step_once',
      expression: `create unique index resolution_step_once on resolution_step (market_condition_id, step) where step in ('closed', 'confirmed', 'settled', 'paid')`,
    },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    market: () => p.manyToOne(Market).deleteRule('cascade'),
    step: p.enum(RESOLUTION_STEPS),
    at: p.datetime(3),
    actorKind: p.enum(RESOLUTION_ACTORS),
    /** An address, the slug of a series, or nothing. */
    actor: p.text().default(''),
    /** The operator, while the account exists. */
    user: () => p.manyToOne(User).nullable().index().deleteRule('set null'),
    /** What a Yes share would pay, in steps of 0.0001. */
    weight: priceColumn().nullable(),
    /** Until when the proposal may be disputed; the new end of trading of a market that was rescheduled. */
    deadlineAt: p.datetime(3).nullable(),
    /** Evidence and reasons, public. */
    note: p.text().default(''),
  },
})

/** An entry of a market's resolution history. */
export class ResolutionStep extends resolutionStepSchema.class {}
resolutionStepSchema.setClass(ResolutionStep)
