import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'FeeAccount',
  tableName: 'fee_account',
  checks: [{ name: 'fee_account_addresses', expression: `${bytesCheck(20, 'deployment', 'account')} and deployment <> account` }],
  properties: {
    /** Operator whose keys place the orders. */
    deployment: hexColumn().primary(),
    /** Who gets what their takers pay, instead of the operator. */
    account: hexColumn(),
    changedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** Where the fees of a deployment go when they do not go to its operator. */
export class FeeAccount extends schema.class {}
schema.setClass(FeeAccount)
