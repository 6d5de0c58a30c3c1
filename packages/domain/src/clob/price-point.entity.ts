import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn, lotsColumn, millisColumn, priceColumn, usdcColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'PricePoint',
  tableName: 'price_point',
  checks: [
    { name: 'price_point_condition', expression: bytesCheck(32, 'condition_id') },
    { name: 'price_point_whole_minute', expression: 'minute % 60000 = 0' },
    {
      name: 'price_point_order',
      expression: 'low between 1 and 9999 and high between 1 and 9999 and open between low and high and close between low and high',
    },
    { name: 'price_point_amounts', expression: 'lots >= 1 and volume >= 1 and trades >= 1' },
  ],
  properties: {
    stream: p.text().primary(),
    conditionId: hexColumn().primary(),
    /** Engine milliseconds at which the minute begins. */
    minute: millisColumn().primary(),
    /** Yes steps. */
    open: priceColumn(),
    high: priceColumn(),
    low: priceColumn(),
    close: priceColumn(),
    lots: lotsColumn(),
    /** Taker price × lots. */
    volume: usdcColumn(),
    trades: p.integer(),
  },
})

/** Fold: the trades of a condition within a minute, in Yes steps. */
export class PricePoint extends schema.class {}
schema.setClass(PricePoint)
