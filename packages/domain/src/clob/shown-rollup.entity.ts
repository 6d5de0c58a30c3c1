import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, millisColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'ShownRollup',
  tableName: 'shown_rollup',
  checks: [
    { name: 'shown_rollup_condition', expression: bytesCheck(32, 'condition_id') },
    { name: 'shown_rollup_lengths', expression: 'minutes in (5, 60, 1440)' },
    { name: 'shown_rollup_whole_stretch', expression: 'start % (minutes * 60000) = 0' },
    { name: 'shown_rollup_bounds', expression: 'half_steps between 0 and 20000' },
  ],
  properties: {
    stream: p.text().primary(),
    conditionId: hexColumn().primary(),
    /** Length of the interval in minutes. */
    minutes: p.smallint().primary(),
    /** Engine milliseconds at which the interval begins. */
    start: millisColumn().primary(),
    /** Halves of a Yes step. */
    halfSteps: p.integer(),
  },
})

/**
 * The price that lists showed for a condition at the end of a longer interval in which it changed, so that a year is read in a few thousand
 * rows.
 */
export class ShownRollup extends schema.class {}
schema.setClass(ShownRollup)
