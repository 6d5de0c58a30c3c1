import { defineEntity, p } from '@mikro-orm/core'

/** Lengths that windows of a series can have. */
export const PRICE_INTERVALS = ['5m', '15m', '1h', '4h', '1d'] as const
/** Where reference prices can come from. */
export const PRICE_SOURCES = ['oracle_a', 'oracle_b'] as const

export const priceSeriesSchema = defineEntity({
  name: 'PriceSeries',
  tableName: 'price_series',
  checks: [
    { name: 'price_series_slug_form', expression: `slug ~ '^[a-z0-9]+-[a-z0-9]+-(5m|15m|1h|4h|1d)$' and slug like '%-' || interval` },
    {
      name: 'price_series_texts',
      expression: `length(slug) <= 60 and length(instrument) >= 1 and length(instrument) <= 40 and length(display_name) >= 1 and length(display_name) <= 80 and length(symbol_a) <= 100 and length(symbol_b) <= 100`,
    },
    {
      name: 'price_series_category_form',
      expression: `category ~ '^[a-z0-9]+(-[a-z0-9]+)*$'`,
    },
    { name: 'price_series_has_symbol', expression: `case source when 'oracle_a' then symbol_a <> '' else symbol_b <> '' end` },
    { name: 'price_series_recurrence', expression: 'ahead >= 1 and ahead <= 12 and settlement_seconds >= 0 and dispute_seconds >= 0' },
  ],
  properties: {
    /** Instrument, quote and interval: `btc-usd-5m`. With `updown` as the quote, slugs of its events name the start of their window. */
    slug: p.text().primary(),
    instrument: p.text(),
    interval: p.enum(PRICE_INTERVALS),
    /** The source whose price counts. */
    source: p.enum(PRICE_SOURCES),
    displayName: p.text(),
    /** The name of the instrument at each source; empty when it does not have it. */
    symbolA: p.text().default(''),
    symbolB: p.text().default(''),
    enabled: p.boolean().default(true),
    /** Whether a market is opened for every window. */
    recurring: p.boolean().default(false),
    /** Slug of the main category of its events. */
    category: p.text().default('crypto'),
    /** How many windows after the running one have open markets. */
    ahead: p.smallint().default(2),
    /** Seconds that a window waits after its end for late and corrected marks. */
    settlementSeconds: p.integer().default(300),
    /** Seconds during which its result may be disputed. */
    disputeSeconds: p.integer().default(300),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A reference price observed in windows of one length. */
export class PriceSeries extends priceSeriesSchema.class {}
priceSeriesSchema.setClass(PriceSeries)
