import { defineEntity, p } from '@mikro-orm/core'
import { referencePriceColumn } from '../columns.ts'
import { PRICE_INTERVALS, PRICE_SOURCES } from './price-series.entity.ts'

export const priceMarkSchema = defineEntity({
  name: 'PriceMark',
  tableName: 'price_mark',
  checks: [
    { name: 'price_mark_price', expression: 'price > 0' },
    {
      name: 'price_mark_whole_window',
      expression: `window_end - window_start = case interval when '5m' then interval '5 min' when '15m' then interval '15 min'
        when '1h' then interval '1 hour' when '4h' then interval '4 hours' else interval '24 hours' end
        and extract(epoch from window_end) % extract(epoch from window_end - window_start) = 0`,
    },
    { name: 'price_mark_not_from_after', expression: 'source_timestamp <= window_end' },
  ],
  properties: {
    source: p.enum(PRICE_SOURCES).primary(),
    instrument: p.text().primary(),
    interval: p.enum(PRICE_INTERVALS).primary(),
    windowEnd: p.datetime(3).primary(),
    windowStart: p.datetime(3),
    /** In the quote currency, at the end of the window. */
    price: referencePriceColumn(),
    /** When the source saw the price, by its own account. */
    sourceTimestamp: p.datetime(3),
    receivedAt: p.datetime(3),
  },
})

/** The price of an instrument at the end of a past window, according to a source. */
export class PriceMark extends priceMarkSchema.class {}
priceMarkSchema.setClass(PriceMark)
