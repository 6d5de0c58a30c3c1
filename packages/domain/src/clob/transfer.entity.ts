import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, usdcColumn } from '../columns.ts'
import { bytesCheck, factKey } from './fact.ts'

const schema = defineEntity({
  name: 'Transfer',
  tableName: 'transfer',
  checks: [
    { name: 'transfer_ref', expression: bytesCheck(32, 'ref') },
    {
      name: 'transfer_begins_with_amount',
      expression: `(kind in ('deposit', 'withdrawal')) = (amount is not null and account is not null)`,
    },
    { name: 'transfer_amount', expression: `amount >= 1 and ${bytesCheck(20, 'account')}` },
  ],
  // One start and at most one end per ref, for ever.
  indexes: [
    {
      name: 'transfer_begins_once',
      expression: `create unique index transfer_begins_once on transfer (stream, ref) where kind in ('deposit', 'withdrawal')`,
    },
    {
      name: 'transfer_ends_once',
      expression: `create unique index transfer_ends_once on transfer (stream, ref) where kind in ('settled', 'returned')`,
    },
    { name: 'transfer_by_account', expression: 'create index transfer_by_account on transfer (stream, account, seq desc, n desc)' },
  ],
  properties: {
    ...factKey(),
    ref: hexColumn(),
    kind: p.enum(['deposit', 'withdrawal', 'settled', 'returned'] as const),
    /** Of a start; an end names it by `ref`. */
    account: hexColumn().nullable(),
    amount: usdcColumn().nullable(),
  },
})

/** Fact: a deposit, the start of a withdrawal, or its end. */
export class Transfer extends schema.class {}
schema.setClass(Transfer)
