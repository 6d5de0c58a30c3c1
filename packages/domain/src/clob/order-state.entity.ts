import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, millisColumn, seqColumn, usdcColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'
import { ORDER_STATES } from './placement.entity.ts'

const schema = defineEntity({
  name: 'OrderState',
  tableName: 'order_state',
  checks: [
    { name: 'order_state_ids', expression: bytesCheck(32, 'order_id') },
    { name: 'order_state_not_overfilled', expression: 'matched between 0 and lots and matched_cost >= 0' },
    { name: 'order_state_ended_has_time', expression: `(state in ('live', 'partially_filled')) = (ended_at is null)` },
  ],
  properties: {
    stream: p.text().primary(),
    orderId: hexColumn().primary(),
    lots: lotsColumn(),
    matched: lotsColumn(),
    /** Millionths for `matched`, without fees. */
    matchedCost: usdcColumn(),
    state: p.enum(ORDER_STATES),
    reason: p.text().nullable(),
    /** Position of the last change. */
    seq: seqColumn(),
    /** Engine milliseconds. */
    endedAt: millisColumn().nullable(),
  },
})

/** Fold: the current state of an order. The order itself is its placement. */
export class OrderState extends schema.class {}
schema.setClass(OrderState)
