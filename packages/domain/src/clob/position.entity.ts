import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, seqColumn, usdcColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'Position',
  tableName: 'position',
  checks: [
    { name: 'position_key', expression: `${bytesCheck(20, 'account')} and ${bytesCheck(32, 'condition_id')} and outcome in (0, 1)` },
    {
      name: 'position_never_negative',
      expression: 'lots >= 0 and bought_lots >= 0 and bought_cost >= 0 and sold_lots >= 0 and sold_cost >= 0 and redeemed_lots >= 0',
    },
    {
      name: 'position_converted',
      expression:
        'case outcome when 0 then converted_lots >= 0 and converted_cost >= 0 else converted_lots <= 0 and converted_cost <= 0 end',
    },
    { name: 'position_cost', expression: 'merged_lots >= 0 and held_cost >= 0' },
    { name: 'position_pairs', expression: 'split_cost >= 0 and merged_cost >= 0' },
    { name: 'position_fees', expression: 'gone_cost >= 0 and fees >= 0' },
  ],
  indexes: [
    {
      name: 'position_by_holder',
      expression: 'create index position_by_holder on position (stream, condition_id, outcome, lots desc) where lots > 0',
    },
  ],
  properties: {
    stream: p.text().primary(),
    account: hexColumn().primary(),
    conditionId: hexColumn().primary(),
    outcome: p.smallint().primary(),
    lots: lotsColumn().default(0),
    boughtLots: lotsColumn().default(0),
    /** Millionths, without fees. */
    boughtCost: usdcColumn().default(0),
    soldLots: lotsColumn().default(0),
    soldCost: usdcColumn().default(0),
    redeemedLots: lotsColumn().default(0),
    /** Yes lots that conversions brought; negative for the No lots that they took. */
    convertedLots: lotsColumn().default(0),
    mergedLots: lotsColumn().default(0),
    /** Cost of the lots held in millionths, fees included, and cost that lots took along when they left. */
    heldCost: usdcColumn().default(0),
    goneCost: usdcColumn().default(0),
    /** Profit of what was sold and paid out, after fees. */
    realised: usdcColumn().default(0),
    /** Fees paid in trades. */
    fees: usdcColumn().default(0),
    /** Written by the release before only. */
    convertedCost: usdcColumn().default(0),
    splitCost: usdcColumn().default(0),
    mergedCost: usdcColumn().default(0),
    /** Position of the last change. */
    seq: seqColumn(),
  },
})

/** Fold: an account's holding of an outcome token, and its trades in it. */
export class Position extends schema.class {}
schema.setClass(Position)
