import { defineEntity, p } from '@mikro-orm/core'
import { displayedPriceColumn } from '../columns.ts'
import { Market } from './market.entity.ts'

export const priceRollupSchema = defineEntity({
  name: 'PriceRollup',
  tableName: 'price_rollup',
  checks: [
    { name: 'price_rollup_price', expression: 'price >= 0 and price <= 10000' },
    { name: 'price_rollup_minutes', expression: 'minutes in (5, 60, 1440)' },
    { name: 'price_rollup_start', expression: 'extract(epoch from start)::bigint % (minutes * 60) = 0' },
  ],
  properties: {
    market: () => p.manyToOne(Market).primary().deleteRule('cascade'),
    /** Length of the interval in minutes. */
    minutes: p.smallint().primary(),
    start: p.datetime(0).primary(),
    price: displayedPriceColumn(),
  },
})

/** The last displayed price of Yes within an interval, in steps; written only when it changed. */
export class PriceRollup extends priceRollupSchema.class {}
priceRollupSchema.setClass(PriceRollup)
