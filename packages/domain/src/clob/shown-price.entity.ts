import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, millisColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'ShownPrice',
  tableName: 'shown_price',
  checks: [
    { name: 'shown_price_condition', expression: bytesCheck(32, 'condition_id') },
    { name: 'shown_price_whole_minute', expression: 'minute % 60000 = 0' },
    { name: 'shown_price_bounds', expression: 'half_steps between 0 and 20000' },
  ],
  properties: {
    stream: p.text().primary(),
    conditionId: hexColumn().primary(),
    /** Engine milliseconds at which the minute begins. */
    minute: millisColumn().primary(),
    /** Halves of a Yes step. */
    halfSteps: p.integer(),
  },
})

/**
 * The price that lists showed for a condition at the end of a minute in which it changed, including conditions that are quoted and never
 * traded.
 */
export class ShownPrice extends schema.class {}
schema.setClass(ShownPrice)
