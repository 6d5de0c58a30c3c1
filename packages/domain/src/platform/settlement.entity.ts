import { defineEntity, p } from '@mikro-orm/core'
import { Market } from './market.entity.ts'

export const settlementSchema = defineEntity({
  name: 'Settlement',
  tableName: 'settlement',
  checks: [
    {
      name: 'settlement_order',
      expression:
        '(resolved_at is null or closed_at is not null) and (told_at is null or resolved_at is not null) and (paid_at is null or told_at is not null)',
    },
  ],
  indexes: [
    {
      name: 'settlement_to_mirror',
      expression: 'create index settlement_to_mirror on settlement (market_condition_id) where not mirrored',
    },
    {
      name: 'settlement_moved',
      expression: 'create index settlement_moved on settlement (market_condition_id) where moved_at is not null',
    },
    {
      name: 'settlement_unpaid',
      expression: 'create index settlement_unpaid on settlement (market_condition_id) where paid_at is null',
    },
  ],
  properties: {
    market: () => p.manyToOne(Market).primary().deleteRule('cascade'),
    /** When the exchange stopped matching. */
    closedAt: p.datetime(3).nullable(),
    /** When the result was reported to the exchange. */
    resolvedAt: p.datetime(3).nullable(),
    /** When members who hold shares were notified. */
    toldAt: p.datetime(3).nullable(),
    /** When the last holder had been paid. */
    paidAt: p.datetime(3).nullable(),
    /** When its end was moved last; null once members were notified of it. */
    movedAt: p.datetime(3).nullable(),
    /** Whether the exchange shows the current status of the resolution. */
    mirrored: p.boolean().default(false),
  },
})

/** How far the exchange has followed the resolution of a market. */
export class Settlement extends settlementSchema.class {}
settlementSchema.setClass(Settlement)
