import { defineEntity, p } from '@mikro-orm/core'
import { Market } from './market.entity.ts'

/** Where the prices come from: generated for a sandbox, or read from a discovery file. */
const SOURCES = ['sample', 'imported'] as const

const schema = defineEntity({
  name: 'EarlierPrices',
  tableName: 'earlier_prices',
  checks: [{ name: 'earlier_prices_pairs', expression: 'cardinality(minutes) = cardinality(prices) and cardinality(minutes) > 0' }],
  properties: {
    market: () => p.manyToOne(Market).primary().deleteRule('cascade'),
    source: p.enum(SOURCES),
    /** Minutes since 1970, ascending. */
    minutes: p.array(Number, String).columnType('integer[]'),
    /** The price of Yes from each minute on, in steps. */
    prices: p.array(Number, String).columnType('smallint[]'),
  },
})

/**
 * What a market's chart shows from before the exchange first had a price. Kept apart from `price_point`, which only holds prices that the
 * exchange displayed.
 */
export class EarlierPrices extends schema.class {}
schema.setClass(EarlierPrices)
