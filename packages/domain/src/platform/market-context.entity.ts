import { defineEntity, p } from '@mikro-orm/core'
import { Market } from './market.entity.ts'
import { User } from './user.entity.ts'

export const marketContextSchema = defineEntity({
  name: 'MarketContext',
  tableName: 'market_context',
  checks: [{ name: 'market_context_text', expression: 'length(text) >= 1 and length(text) <= 4000' }],
  properties: {
    market: () => p.oneToOne(Market).owner().primary().deleteRule('cascade'),
    /** Plain text. */
    text: p.text(),
    generatedAt: p.datetime(3),
    /** The admin who requested it. */
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
  },
})

/** Background about a market, written by a model. */
export class MarketContext extends marketContextSchema.class {}
marketContextSchema.setClass(MarketContext)
