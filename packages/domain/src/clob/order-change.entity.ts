import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'
import { ORDER_STATES } from './placement.entity.ts'

const schema = defineEntity({
  name: 'OrderChange',
  tableName: 'order_change',
  checks: [
    { name: 'order_change_ids', expression: bytesCheck(32, 'order_id') },
    { name: 'order_change_account', expression: bytesCheck(20, 'account') },
    { name: 'order_change_kind', expression: `(kind = 'ended') = (state is not null) and lots >= 0` },
  ],
  indexes: [
    { name: 'order_change_by_account', expression: 'create index order_change_by_account on order_change (account, seq, n)' },
    {
      name: 'order_change_sizes',
      expression: `create index order_change_sizes on order_change (stream, order_id, seq, n) where kind = 'reduced'`,
    },
  ],
  properties: {
    ...factKey(),
    orderId: hexColumn(),
    /** Owner of the order. */
    account: hexColumn(),
    kind: p.enum(['reduced', 'ended'] as const),
    /** Total size after the change. */
    lots: lotsColumn(),
    /** Of an end. */
    state: p.enum(ORDER_STATES).nullable(),
    reason: p.text().nullable(),
  },
})

/** Fact: an order became smaller or left the book, other than by a fill. */
export class OrderChange extends schema.class {}
schema.setClass(OrderChange)
