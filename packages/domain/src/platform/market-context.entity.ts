import { defineEntity, p } from '@mikro-orm/core'
import { Market } from './market.entity.ts'
import { User } from './user.entity.ts'

const schema = defineEntity({
  name: 'MarketContext',
  tableName: 'market_context',
  checks: [{ name: 'market_context_text', expression: 'length(text) >= 1 and length(text) <= 4000' }],
  properties: {
    market: () => p.oneToOne(Market).primary().deleteRule('cascade'),
    /** Plain text. */
    text: p.text(),
    generatedAt: p.datetime(3),
    /** The admin who requested it. */
    actor: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
  },
})

/** Background about a market, written by a model. */
export class MarketContext extends schema.class {}
schema.setClass(MarketContext)
