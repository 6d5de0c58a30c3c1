import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'AccountStats',
  tableName: 'account_stats',
  checks: [{ name: 'account_stats_account', expression: `${bytesCheck(20, 'account')} and trades >= 1` }],
  properties: {
    stream: p.text().primary(),
    account: hexColumn().primary(),
    /** As taker or maker; one with itself counts once. */
    trades: lotsColumn(),
  },
})

/** Fold: how often an account traded. */
export class AccountStats extends schema.class {}
schema.setClass(AccountStats)
