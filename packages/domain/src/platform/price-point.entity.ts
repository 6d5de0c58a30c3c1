import { defineEntity, p } from '@mikro-orm/core'
import { displayedPriceColumn } from '../columns.ts'
import { Market } from './market.entity.ts'

export const pricePointSchema = defineEntity({
  name: 'PricePoint',
  tableName: 'price_point',
  checks: [
    { name: 'price_point_price', expression: 'price >= 0 and price <= 10000' },
    { name: 'price_point_whole_minute', expression: `minute = date_trunc('minute', minute, 'UTC')` },
  ],
  properties: {
    market: () => p.manyToOne(Market).primary().deleteRule('cascade'),
    minute: p.datetime(0).primary(),
    price: displayedPriceColumn(),
  },
})

/** The last displayed price of Yes within a minute, in steps; written only when it changed. */
export class PricePoint extends pricePointSchema.class {}
pricePointSchema.setClass(PricePoint)
