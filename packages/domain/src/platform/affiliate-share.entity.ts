import { defineEntity, p } from '@mikro-orm/core'
import { int8Column, usdcColumn } from '../columns.ts'

export const affiliateShareSchema = defineEntity({
  name: 'AffiliateShare',
  tableName: 'affiliate_share',
  checks: [
    { name: 'affiliate_share_addresses', expression: `referrer ~ '^0x[0-9a-f]{40}$' and taker ~ '^0x[0-9a-f]{40}$' and referrer <> taker` },
    { name: 'affiliate_share_condition_form', expression: `condition_id ~ '^0x[0-9a-f]{64}$'` },
    { name: 'affiliate_share_amounts', expression: 'amount > 0 and fee >= amount and volume > 0' },
  ],
  indexes: [
    {
      name: 'affiliate_share_by_referrer',
      expression: 'create index affiliate_share_by_referrer on affiliate_share (referrer, seq desc)',
    },
  ],
  properties: {
    /** Position of the order in the exchange's log. */
    seq: int8Column().primary().autoincrement(false),
    at: p.datetime(3),
    conditionId: p.text(),
    /** Accounts, in lower case. */
    taker: p.text(),
    referrer: p.text(),
    volume: usdcColumn(),
    fee: usdcColumn(),
    amount: usdcColumn(),
  },
})

/** What one order paid to the referrer of its account, as recorded by the exchange. Millionths of a USDC. */
export class AffiliateShare extends affiliateShareSchema.class {}
affiliateShareSchema.setClass(AffiliateShare)
