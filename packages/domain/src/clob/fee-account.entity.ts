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
    /** The account that receives the fees of their takers instead of the operator. */
    account: hexColumn(),
    changedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** The account that receives the fees of a deployment, if not its operator. */
export class FeeAccount extends schema.class {}
schema.setClass(FeeAccount)
