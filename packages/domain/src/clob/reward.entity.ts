import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, usdcColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'Reward',
  tableName: 'reward',
  checks: [{ name: 'reward_key', expression: `${bytesCheck(20, 'account')} and ${bytesCheck(32, 'condition_id')}` }],
  properties: {
    stream: p.text().primary(),
    account: hexColumn().primary(),
    conditionId: hexColumn().primary(),
    /** Millionths: rebates, affiliate shares, and what was left of fees. */
    amount: usdcColumn(),
  },
})

/** Fold: what an account received of the fees in a market. */
export class Reward extends schema.class {}
schema.setClass(Reward)
