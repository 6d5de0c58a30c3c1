import { defineEntity, p } from '@mikro-orm/core'
import { usdcColumn } from '../columns.ts'

export const siteDaySchema = defineEntity({
  name: 'SiteDay',
  tableName: 'site_day',
  checks: [
    {
      name: 'site_day_not_negative',
      expression: 'volume >= 0 and fees >= 0 and shares >= 0 and trades >= 0 and open_interest >= 0 and members >= 0',
    },
  ],
  properties: {
    /** UTC. */
    day: p.date().primary(),
    volume: usdcColumn().default(0),
    fees: usdcColumn().default(0),
    /** What orders of the day paid to referrers; maintained by a trigger only. */
    shares: usdcColumn().default(0),
    trades: p.integer().default(0),
    /** As of the last run of the day. */
    openInterest: usdcColumn().nullable(),
    members: p.integer().nullable(),
  },
})

/** Totals of a deployment for one day. Volume and fees of its own markets in millionths of a USDC. */
export class SiteDay extends siteDaySchema.class {}
siteDaySchema.setClass(SiteDay)
