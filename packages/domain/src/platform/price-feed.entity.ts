import { defineEntity, p } from '@mikro-orm/core'
import { referencePriceColumn } from '../columns.ts'
import { PRICE_INTERVALS, PRICE_SOURCES } from './price-series.entity.ts'

const schema = defineEntity({
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
    /** As people read it. */
    name: p.text(),
    /** Its prices are made up. */
    simulated: p.boolean(),
    /** When the source last answered well. */
    checkedAt: p.datetime(3).nullable(),
    /** When it last failed since then, and why. */
    failedAt: p.datetime(3).nullable(),
    failure: p.text().default(''),
    /** When older gaps were last asked for. */
    gapsAskedAt: p.datetime(3).nullable(),
    /** The window that is under way: its opening price, and what the source said last. */
    liveStart: p.datetime(3).nullable(),
    liveEnd: p.datetime(3).nullable(),
    liveOpeningPrice: referencePriceColumn().nullable(),
    livePrice: referencePriceColumn().nullable(),
    liveTimestamp: p.datetime(3).nullable(),
  },
})

/** How a source does with one instrument and interval. */
export class PriceFeed extends schema.class {}
schema.setClass(PriceFeed)
