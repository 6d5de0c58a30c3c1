import { defineEntity, p } from '@mikro-orm/core'
import { referencePriceColumn } from '../columns.ts'
import { PRICE_INTERVALS, PRICE_SOURCES } from './price-series.entity.ts'

export const priceFeedSchema = defineEntity({
  name: 'PriceFeed',
  tableName: 'price_feed',
  checks: [
    { name: 'price_feed_failure_has_time', expression: `(failed_at is null) = (failure = '')` },
    {
      name: 'price_feed_live_window',
      expression:
        'num_nulls(live_start, live_end, live_opening_price, live_price, live_timestamp) in (0, 5) and live_start < live_end and live_opening_price > 0 and live_price > 0',
    },
  ],
  properties: {
    source: p.enum(PRICE_SOURCES).primary(),
    instrument: p.text().primary(),
    interval: p.enum(PRICE_INTERVALS).primary(),
    /** Display name of the source. */
    name: p.text(),
    /** Whether its prices are simulated. */
    simulated: p.boolean(),
    /** When the source last answered correctly. */
    checkedAt: p.datetime(3).nullable(),
    /** When it last failed since then, and why. */
    failedAt: p.datetime(3).nullable(),
    failure: p.text().default(''),
    /** When older gaps were last requested. */
    gapsAskedAt: p.datetime(3).nullable(),
    /** The current window: its opening price, and the latest price of the source. */
    liveStart: p.datetime(3).nullable(),
    liveEnd: p.datetime(3).nullable(),
    liveOpeningPrice: referencePriceColumn().nullable(),
    livePrice: referencePriceColumn().nullable(),
    liveTimestamp: p.datetime(3).nullable(),
  },
})

/** The state of a source for one instrument and interval. */
export class PriceFeed extends priceFeedSchema.class {}
priceFeedSchema.setClass(PriceFeed)
