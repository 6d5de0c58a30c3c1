import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, millisColumn, priceColumn, usdcColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'ConditionStats',
  tableName: 'condition_stats',
  checks: [
    { name: 'condition_stats_condition', expression: bytesCheck(32, 'condition_id') },
    { name: 'condition_stats_never_negative', expression: 'volume >= 0 and trades >= 0 and yes_lots >= 0 and no_lots >= 0' },
    {
      name: 'condition_stats_last',
      expression: '(last_price is null) = (last_at is null) and (last_price is null or last_price between 1 and 9999)',
    },
    { name: 'condition_stats_weight', expression: 'weight is null or weight between 0 and 10000' },
  ],
  properties: {
    stream: p.text().primary(),
    conditionId: hexColumn().primary(),
    /** Millionths, taker price × lots of every trade. */
    volume: usdcColumn().default(0),
    trades: lotsColumn().default(0),
    /** Tokens in existence, in lots. */
    yesLots: lotsColumn().default(0),
    noLots: lotsColumn().default(0),
    /** Yes steps. */
    lastPrice: priceColumn().nullable(),
    lastAt: millisColumn().nullable(),
    /** Millionths per Yes lot once resolved. */
    weight: p.smallint().nullable(),
  },
})

/** Fold: totals of a condition. */
export class ConditionStats extends schema.class {}
schema.setClass(ConditionStats)
